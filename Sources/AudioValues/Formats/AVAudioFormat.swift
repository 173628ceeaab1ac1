// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox
public import Foundation

/// A format of audio: the stream description, and the layout of the channels.
///
/// A rate of zero means that it is unknown. Initializers that cannot fail end the process if there
/// is no such format, and say why. [any thread]
open class AVAudioFormat: NSObject, NSSecureCoding, @unchecked Sendable {  // the cookie is guarded
  let storage: FormatStorage
  private let cookie = Guarded<Data?>(nil)

  // MARK: Initializers

  /// The format of a description; nil if it has more than two channels.
  public init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
    guard let storage = try? FormatStorage(asbd.pointee) else { return nil }
    self.storage = storage
  }

  /// The format of a description; nil if it has more than two channels and no layout, or if the
  /// layout has another number of channels.
  public init?(
    streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>,
    channelLayout layout: AVAudioChannelLayout?
  ) {
    guard let storage = try? FormatStorage(asbd.pointee, layout: layout) else { return nil }
    self.storage = storage
  }

  /// The format with deinterleaved Float32 samples; nil if it has more than two channels.
  public init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
    guard
      let storage = try? FormatStorage(
        .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    else { return nil }
    self.storage = storage
  }

  /// The format with deinterleaved Float32 samples and the channels of a layout.
  public init(
    standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout
  ) {
    storage = Self.required { () throws(AudioError) in
      try FormatStorage(
        .pcmFormatFloat32, sampleRate: sampleRate, channels: layout.channelCount,
        interleaved: false, layout: layout)
    }
  }

  /// The format with samples of a common kind; nil if it has more than two channels.
  public init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
    interleaved: Bool
  ) {
    guard
      let storage = try? FormatStorage(
        format, sampleRate: sampleRate, channels: channels, interleaved: interleaved)
    else { return nil }
    self.storage = storage
  }

  /// The format with samples of a common kind and the channels of a layout.
  public init(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
    channelLayout layout: AVAudioChannelLayout
  ) {
    storage = Self.required { () throws(AudioError) in
      try FormatStorage(
        format, sampleRate: sampleRate, channels: layout.channelCount, interleaved: interleaved,
        layout: layout)
    }
  }

  /// The format that settings describe. Nil if they name no format, rate or number of channels; if
  /// samples have fewer than 8 or more than 32 bits; if there are more than two channels without a
  /// layout; or if a value has the wrong type.
  public init?(settings: [String: Any]) {
    guard let storage = try? FormatStorage(settings) else { return nil }
    self.storage = storage
  }

  deinit { RecentValues.keep(storage) }

  private static func required(
    _ make: () throws(AudioError) -> FormatStorage
  ) -> FormatStorage {
    do throws(AudioError) { return try make() } catch {
      fatalError("AVAudioFormat: \(error.explanation)")
    }
  }

  // MARK: Fields

  /// Whether the samples are deinterleaved Float32 in the byte order of the machine; one channel
  /// counts as deinterleaved.
  open var isStandard: Bool { storage.linear?.isPlanarFloat ?? false }

  /// The samples, if they are of a common kind.
  open var commonFormat: AVAudioCommonFormat { storage.commonFormat }

  /// The number of channels.
  open var channelCount: AVAudioChannelCount { storage.description.pointee.mChannelsPerFrame }

  /// Frames per second; zero if unknown.
  open var sampleRate: Double { storage.description.pointee.mSampleRate }

  /// Whether all channels are in one buffer.
  open var isInterleaved: Bool {
    storage.description.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
  }

  /// The description as C sees it; the pointer is valid as long as the format, and shortly after.
  open var streamDescription: UnsafePointer<AudioStreamBasicDescription> {
    UnsafePointer(storage.description)
  }

  /// The layout of the channels, if the format was made with one.
  open var channelLayout: AVAudioChannelLayout? { storage.layout }

  /// What the decoder of a compressed format needs, if anything.
  open var magicCookie: Data? {
    get { cookie.withLock { $0 } }
    set { cookie.withLock { $0 = newValue } }
  }

  /// The format as settings, for a file with this format.
  open var settings: [String: Any] { storage.settings }

  // MARK: Comparison and text

  /// Whether the formats describe the same sound in memory: without regard to the interleaving of
  /// one channel, and to the usual layout of one or two.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioFormat else { return false }
    return self === other || storage.identity == other.storage.identity
  }

  /// Whether the samples or packets are equal, without regard to layouts.
  package func hasSamples(of other: AVAudioFormat) -> Bool {
    let (identity, otherIdentity) = (storage.identity, other.storage.identity)
    return identity.sampleRate == otherIdentity.sampleRate
      && identity.fields == otherIdentity.fields
  }

  open override var hash: Int { storage.identity.hashValue }

  open override var description: String {
    "<AVAudioFormat 0x\(address(of: self)): \(padded(channelCount, 2)) ch, "
      + "\(padded(sampleRate.plainText, 6)) Hz, \(sampleText)>"
  }

  private var sampleText: String {
    let fields = storage.description.pointee
    let order = isInterleaved ? ", interleaved" : ", deinterleaved"
    if let name = commonFormat.name { return name + (channelCount > 1 ? order : "") }
    let flags = String(fields.mFormatFlags, radix: 16, uppercase: true)
    let format =
      "'\(FourCharacterCode(fields.mFormatID))' "
      + "(0x\(String(repeating: "0", count: 8 - flags.count))\(flags))"
    guard let linear = storage.linear else {
      return "\(format) \(fields.mBitsPerChannel) bits/channel, \(fields.mBytesPerPacket) "
        + "bytes/packet, \(fields.mFramesPerPacket) frames/packet, \(fields.mBytesPerFrame) "
        + "bytes/frame"
    }
    let endian = linear.isBigEndian ? "big-endian" : "little-endian"
    let kind =
      linear.isFloat
      ? "float" : linear.isSignedInteger ? "signed integer" : "unsigned integer"
    return "\(format) \(linear.bitsPerChannel)-bit \(endian) \(kind)"
      + (channelCount > 1 ? order : "")
  }

  private func padded(_ text: some LosslessStringConvertible, _ width: Int) -> String {
    let text = String(text)
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }

  // MARK: Coding

  /// Archives of it are safe to read.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the format to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(withUnsafeBytes(of: streamDescription.pointee) { Data($0) }, forKey: "description")
    coder.encode(channelLayout, forKey: "layout")
    coder.encode(magicCookie, forKey: "cookie")
  }

  /// Reads a format from an archive.
  public required init?(coder: NSCoder) {
    var fields = AudioStreamBasicDescription()
    let data = coder.decodeObject(of: NSData.self, forKey: "description").map { Data($0) }
    let count = withUnsafeMutableBytes(of: &fields) { data?.copyBytes(to: $0) }
    let layout = coder.decodeObject(of: AVAudioChannelLayout.self, forKey: "layout")
    guard count == MemoryLayout<AudioStreamBasicDescription>.size,
      let storage = try? FormatStorage(fields, layout: layout)
    else { return nil }
    self.storage = storage
    super.init()
    magicCookie = coder.decodeObject(of: NSData.self, forKey: "cookie").map { Data($0) }
  }
}

/// The address of an object in hexadecimal, for its description.
func address(of object: AnyObject) -> String {
  String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16)
}
