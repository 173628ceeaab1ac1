// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The configuration of an AAC decoder (ISO 14496-3, 1.6.2.1): the core, and whether it is extended
/// to HE-AAC (spectral band replication: twice the rate) or HE-AAC v2 (and parametric stereo).
public struct AudioSpecificConfig: Equatable {
  /// The object type of the core: 2 for AAC-LC, 23 for AAC-LD, 39 for AAC-ELD.
  public private(set) var object = 0
  public private(set) var coreRate = 0.0
  private var channelConfiguration = 0
  private var hasShortFrames = false
  /// Whether the configuration says that the core is extended. False says nothing of the packets,
  /// which can have the extension without notice.
  public private(set) var isExtended = false
  public private(set) var hasParametricStereo = false
  private var extendedRate = 0.0

  private static let rates: [Double] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]
  /// The object types of the two extensions.
  private static let (replication, parametricStereo) = (5, 29)
  /// The object types of low delay.
  private static let (lowDelay, enhancedLowDelay) = (23, 39)

  /// Nil when the bytes are not a valid configuration.
  public init?(_ bytes: [UInt8]) {
    var bits = BitReader(bytes)
    guard let first = bits.object(), let rate = bits.rate(Self.rates), rate > 0, rate <= 192_000,
      let channels = bits.read(4), channels <= 7
    else { return nil }
    object = first
    coreRate = rate
    channelConfiguration = channels
    if first == Self.replication || first == Self.parametricStereo {
      // The hierarchical form: the extension first, then the core.
      guard let extended = bits.rate(Self.rates) else { return nil }
      isExtended = extended == 2 * rate
      hasParametricStereo = isExtended && first == Self.parametricStereo
      extendedRate = extended
      object = bits.object() ?? 2
    }
    guard object == 2 || hasLowDelay else { return }
    hasShortFrames = bits.read(1) == 1
    guard object == 2 else { return }
    guard !isExtended, channels > 0 else { return }
    // The compatible form: the extension follows the core, which older decoders stop after.
    if bits.read(1) == 1 { _ = bits.read(14) }
    guard bits.read(1) != nil, bits.read(11) == 0x2B7, bits.object() == Self.replication,
      bits.read(1) == 1, let extended = bits.rate(Self.rates), extended == 2 * rate
    else { return }
    isExtended = true
    extendedRate = extended
    hasParametricStereo = bits.read(11) == 0x548 && bits.read(1) == 1
  }

  /// The output rate.
  public var rate: Double { isExtended ? extendedRate : coreRate }

  /// The number of channels of the core; 0 when only the packets have it.
  public var coreChannelCount: Int { channelConfiguration == 7 ? 8 : channelConfiguration }

  /// The number of output channels; 0 when only the packets have it.
  public var channelCount: Int { hasParametricStereo ? 2 : coreChannelCount }

  /// Whether packets are half as long as those of AAC-LC.
  private var hasLowDelay: Bool { object == Self.lowDelay || object == Self.enhancedLowDelay }

  /// Output frames per packet.
  public var framesPerPacket: Int {
    (hasShortFrames ? 960 : 1_024) * (isExtended ? 2 : 1) / (hasLowDelay ? 2 : 1)
  }

  /// The format of the packets.
  public var formatID: AudioFormatID {
    switch object {
    case Self.lowDelay: kAudioFormatMPEG4AAC_LD
    case Self.enhancedLowDelay: kAudioFormatMPEG4AAC_ELD
    default:
      !isExtended
        ? kAudioFormatMPEG4AAC
        : hasParametricStereo ? kAudioFormatMPEG4AAC_HE_V2 : kAudioFormatMPEG4AAC_HE
    }
  }

  /// A configuration for a decoder that must leave out the extension, also where packets have it
  /// without notice; nil when the core is not AAC-LC with one of the usual channel layouts.
  public var coreConfig: [UInt8]? {
    guard object == 2, channelConfiguration > 0,
      let index = Self.rates.firstIndex(of: coreRate)
    else { return nil }
    var bits: UInt64 = 0
    var count = 0
    func add(_ value: Int, _ width: Int) {
      bits = bits << UInt64(truncatingIfNeeded: width) | UInt64(truncatingIfNeeded: value)
      count += width
    }
    add(object, 5)
    add(index, 4)
    add(channelConfiguration, 4)
    add(hasShortFrames ? 1 : 0, 1)
    add(0, 2)
    // "Not extended".
    add(0x2B7, 11)
    add(Self.replication, 5)
    add(0, 1)
    add(0, 7)
    return (0..<(count / 8)).map { UInt8(truncatingIfNeeded: bits >> (count - 8 * ($0 + 1))) }
  }
}

/// Reads the bits of a configuration; nil beyond its end.
private struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(_ count: Int) -> Int? {
    guard position + count <= 8 * bytes.count else { return nil }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position / 8] >> (7 - UInt8(clamping: position % 8)) & 1)
      position += 1
    }
    return value
  }

  mutating func object() -> Int? {
    guard let object = read(5) else { return nil }
    return object == 31 ? read(6).map { $0 + 32 } : object
  }

  mutating func rate(_ rates: [Double]) -> Double? {
    guard let index = read(4) else { return nil }
    if index == 15 { return read(24).map(Double.init) }
    return rates.indices.contains(index) ? rates[index] : nil
  }
}
