// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
public import CAudioToolbox
public import Foundation

/// The layout of channels, for formats with more than two channels. [any thread]
open class AVAudioChannelLayout: NSObject, NSSecureCoding, @unchecked Sendable {  // never changes
  private let memory: LayoutMemory
  /// The bytes of the `AudioChannelLayout`.
  package let bytes: [UInt8]

  /// The layout of a tag. Nil if the tag has no channels of its own or more than 1,024; so
  /// `kAudioChannelLayoutTag_UseChannelDescriptions` and `…UseChannelBitmap` have none.
  public init?(layoutTag: AudioChannelLayoutTag) {
    guard layoutTag != kAudioChannelLayoutTag_UseChannelBitmap,
      (1...FormatLimits.channelCount).contains(Int(layoutTag & 0xFFFF))
    else { return nil }
    bytes = Self.bytes(of: layoutTag)
    memory = LayoutMemory(bytes)
  }

  /// A copy of a layout. If it has descriptions that correspond to a tag, it gets that tag.
  ///
  /// A layout without channels, or with more than 1,024, ends the process.
  public init(layout: UnsafePointer<AudioChannelLayout>) {
    let count = Int(layout.pointee.mNumberChannelDescriptions)
    guard count <= FormatLimits.channelCount else {
      fatalError("AVAudioChannelLayout: \(count) descriptions are more than 1,024")
    }
    guard let bytes = Self.normal(UnsafeRawBufferPointer(start: layout, count: 12 + 20 * count))
    else {
      fatalError("AVAudioChannelLayout: the layout must have from 1 to 1,024 channels")
    }
    self.bytes = bytes
    memory = LayoutMemory(bytes)
  }

  /// The layout in bytes; nil if they are inconsistent.
  package init?(bytes: [UInt8]) {
    guard let bytes = bytes.withUnsafeBytes({ Self.normal($0) }) else { return nil }
    self.bytes = bytes
    memory = LayoutMemory(bytes)
  }

  deinit { RecentValues.keep(memory) }

  /// The bytes of a layout, with a tag in place of descriptions that correspond to it.
  private static func normal(_ layout: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let count = ChannelLayouts.channelCount(layout),
      (1...FormatLimits.channelCount).contains(count)
    else { return nil }
    var bytes = ChannelLayouts.bytes(layout)
    let size = MemoryLayout<AudioChannelLayout>.size
    if bytes.count < size { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
    // Positions of loudspeakers are kept, which no tag has.
    guard let channels = bytes.withUnsafeBytes({ ChannelLayout($0) }),
      channels.tag == kAudioChannelLayoutTag_UseChannelDescriptions, let tag = channels.knownTag,
      bytes == channels.descriptions
    else { return bytes }
    return Self.bytes(of: tag)
  }

  private static func bytes(of tag: AudioChannelLayoutTag) -> [UInt8] {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = tag
    return withUnsafeBytes(of: layout) { Array($0) }
  }

  /// The tag; one of the two special ones if the channels have none.
  open var layoutTag: AudioChannelLayoutTag { layout.pointee.mChannelLayoutTag }

  /// The layout as C sees it; the pointer is valid as long as the object, and shortly after.
  open var layout: UnsafePointer<AudioChannelLayout> {
    memory.address.assumingMemoryBound(to: AudioChannelLayout.self)
  }

  /// The number of channels.
  open var channelCount: AVAudioChannelCount {
    AVAudioChannelCount(clamping: ChannelLayouts.channelCount(bytes) ?? 0)
  }

  /// The layout, with a tag in place of a bitmap that corresponds to it.
  var normalBytes: [UInt8] {
    guard layoutTag == kAudioChannelLayoutTag_UseChannelBitmap,
      let tag = ChannelLayout(labels: channels?.labels ?? []).knownTag
    else { return bytes }
    return Self.bytes(of: tag)
  }

  private var channels: ChannelLayout? { bytes.withUnsafeBytes { ChannelLayout($0) } }

  /// Whether it says no more than the number of channels: mono, or stereo.
  var isUsual: Bool {
    [kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo].contains {
      normalBytes == Self.bytes(of: $0)
    }
  }

  // MARK: Comparison and text

  /// Whether the layouts have the same channels.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioChannelLayout else { return false }
    return normalBytes == other.normalBytes
  }

  open override var hash: Int { normalBytes.hashValue }

  open override var description: String {
    "<AVAudioChannelLayout 0x\(address(of: self)): "
      + "\(channels?.name ?? "\(channelCount) channels, tag \(layoutTag)")>"
  }

  // MARK: Coding

  /// Archives of it are safe to read.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the layout to an archive.
  open func encode(with coder: NSCoder) { coder.encode(Data(bytes), forKey: "layout") }

  /// Reads a layout from an archive.
  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "layout"),
      let bytes = Array(Data(data)).withUnsafeBytes({ Self.normal($0) })
    else { return nil }
    self.bytes = bytes
    memory = LayoutMemory(bytes)
  }
}
