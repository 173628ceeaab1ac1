// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// The memory of one bus, allocated when its unit is initialised, and the current location of its
/// samples: in that memory, or in memory of a host or another unit.
///
/// A pointer to memory, so that render code counts no references; the owner deallocates it.
public struct BusBuffer: BitwiseCopyable, @unchecked Sendable {
  /// The header is followed by pointers to each channel (to each buffer, where samples are
  /// interleaved), then by the list. For two channels, header and pointers share one cache line.
  private struct Header {
    let memory: UnsafeMutableRawPointer
    let bufferStride: Int
    let bufferCount: Int32
    let channelCount: Int32
    let bytesPerFrame: Int32
    let channelsPerBuffer: UInt32
    /// The number of planar Float32 buffers; 0 for other formats.
    let planarCount: Int32
    /// How many frames the memory holds.
    let capacity: UInt32
    let ownsMemory: Bool
    let isInArena: Bool
  }

  private let header: UnsafeMutablePointer<Header>

  /// The buffer at an address, for C functions.
  @_noLocks @inline(__always)
  init(address: UnsafeMutableRawPointer) { header = address.assumingMemoryBound(to: Header.self) }

  var address: UnsafeMutableRawPointer {
    @_noLocks @inline(__always) get { UnsafeMutableRawPointer(header) }
  }

  /// A buffer for `maximumFrames` frames of `format`, in `external` if that is large enough,
  /// otherwise in its own memory.
  public init(
    _ format: StreamFormat, maximumFrames: Int,
    external: UnsafeMutableRawBufferPointer? = nil
  ) {
    let size = Self.headerSize(format)
    self.init(
      format, maximumFrames, external, isInArena: false,
      at: .allocate(byteCount: size, alignment: RenderArena.line))
  }

  /// As above, but everything except the samples is in `arena`, which must outlive the buffer.
  /// Offline, its pages come when they are used.
  init(
    _ format: StreamFormat, maximumFrames: Int, external: UnsafeMutableRawBufferPointer?,
    isOffline: Bool, in arena: inout RenderArena
  ) {
    self.init(
      format, maximumFrames, external, isInArena: true, isOffline: isOffline,
      at: arena.allocate(Self.headerSize(format)))
  }

  private static func headerSize(_ format: StreamFormat) -> Int {
    let count = format.bufferCount
    return MemoryLayout<Header>.stride + count * MemoryLayout<UnsafeMutableRawPointer>.stride
      + MemoryLayout<AudioBufferList>.size + (count - 1) * MemoryLayout<AudioBuffer>.size
  }

  private init(
    _ format: StreamFormat, _ maximumFrames: Int, _ external: UnsafeMutableRawBufferPointer?,
    isInArena: Bool, isOffline: Bool = false, at raw: UnsafeMutableRawPointer
  ) {
    let count = format.bufferCount
    let bufferSize = max(maximumFrames, 1) * format.bytesPerFrame
    let paddedSize = (bufferSize + RenderArena.line - 1) / RenderArena.line * RenderArena.line
    let memory: UnsafeMutableRawPointer
    let ownsMemory: Bool
    let stride: Int
    if let external, let base = external.baseAddress, external.count >= bufferSize * count {
      memory = base
      ownsMemory = false
      stride = external.count >= paddedSize * count ? paddedSize : bufferSize
    } else {
      // Channels that are a page apart would compete for the same cache lines.
      stride = paddedSize % 1024 == 0 ? paddedSize + 3 * RenderArena.line : paddedSize
      memory = ZeroedMemory.allocate(stride * count)
      ownsMemory = true
    }
    if !ownsMemory || !isOffline {
      ZeroedMemory.touch(memory, byteCount: stride * (count - 1) + bufferSize)
    }
    header = raw.bindMemory(to: Header.self, capacity: 1)
    header.initialize(
      to: Header(
        memory: memory, bufferStride: stride, bufferCount: Int32(count),
        channelCount: Int32(format.channelCount), bytesPerFrame: Int32(format.bytesPerFrame),
        channelsPerBuffer: UInt32(format.channelsPerBuffer),
        planarCount: format.isPlanarFloat ? Int32(count) : 0, capacity: UInt32(maximumFrames),
        ownsMemory: ownsMemory, isInArena: isInArena))
    UnsafeMutableRawPointer(channels + count).bindMemory(to: AudioBufferList.self, capacity: 1)
    prepareList(0)
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  public func deallocate() {
    if header.pointee.ownsMemory { ZeroedMemory.free(header.pointee.memory) }
    if !header.pointee.isInArena { header.deallocate() }
  }

  /// The number of channels.
  public var channelCount: Int {
    @_noLocks get { Int(header.pointee.channelCount) }
  }

  /// The current address of each channel; where samples are interleaved, of each buffer.
  public var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    @_noLocks get {
      UnsafeMutableRawPointer(header + 1).assumingMemoryBound(
        to: UnsafeMutablePointer<Float>.self)
    }
  }

  /// The list for callbacks and units that fill a list. Their changes take effect with `adopt`.
  public var list: UnsafeMutablePointer<AudioBufferList> {
    @_noLocks
    get {
      UnsafeMutableRawPointer(channels + bufferCount).assumingMemoryBound(to: AudioBufferList.self)
    }
  }

  /// The number of buffers, and the size of a frame in each.
  var dataCount: Int { @_noLocks get { bufferCount } }
  var bytesPerFrame: Int { @_noLocks get { Int(header.pointee.bytesPerFrame) } }

  /// The capacity of its own memory in frames.
  var capacity: UInt32 { @_noLocks get { header.pointee.capacity } }

  private var bufferCount: Int { @_noLocks get { Int(header.pointee.bufferCount) } }

  @_noLocks
  private func size(_ frames: Int) -> Int { frames &* Int(header.pointee.bytesPerFrame) }

  // MARK: The location of the samples

  /// [render thread] Points at this bus's own memory.
  @_noLocks @inline(__always)
  public func prepare() {
    let (channels, memory, stride) = (channels, header.pointee.memory, header.pointee.bufferStride)
    forEachBuffer { index in
      channels[index] = (memory + index &* stride).assumingMemoryBound(to: Float.self)
    }
  }

  /// [render thread] Whether the samples are in its own memory.
  var usesOwnMemory: Bool {
    @_noLocks
    get {
      let (memory, stride) = (header.pointee.memory, header.pointee.bufferStride)
      var usesOwnMemory = true
      forEachBuffer { if data($0) != memory + $0 &* stride { usesOwnMemory = false } }
      return usesOwnMemory
    }
  }

  /// [render thread] Copies the samples into its own memory if they are elsewhere.
  @_noLocks
  func copyToOwnMemory(_ frames: Int) {
    copyToOwnMemory(frames, at: 0)
    prepare()
  }

  /// [render thread] Copies the samples into its own memory, to frame `start` and following.
  @_noLocks
  func copyToOwnMemory(_ frames: Int, at start: Int) {
    for index in 0..<bufferCount {
      let target = ownMemory(index) + size(start)
      if data(index) != target { target.copyMemory(from: data(index), byteCount: size(frames)) }
    }
  }

  /// [render thread] Writes silence into its own memory, to frame `start` and following.
  @_noLocks
  func clearOwnMemory(_ frames: Int, at start: Int) {
    for index in 0..<bufferCount {
      (ownMemory(index) + size(start)).initializeMemory(
        as: UInt8.self, repeating: 0, count: size(frames))
    }
  }

  /// [render thread] The address of its own memory for buffer `index`.
  @_noLocks @inline(__always)
  private func ownMemory(_ index: Int) -> UnsafeMutableRawPointer {
    header.pointee.memory + index &* header.pointee.bufferStride
  }

  /// Runs `body` for the index of each buffer. Most buses are mono or stereo; these need no loop.
  @_noLocks @inline(__always)
  private func forEachBuffer(_ body: (Int) -> Void) {
    let count = bufferCount
    body(0)
    guard count > 1 else { return }
    body(1)
    var index = 2
    while index < count {
      body(index)
      index &+= 1
    }
  }

  /// [render thread] As `prepare`, and sizes the list for `frames` frames.
  @_noLocks @inline(__always)
  public func prepareList(_ frames: Int) {
    prepare()
    updateList(frames)
  }

  /// [render thread] Sizes the list for `frames` frames at their current location.
  @_noLocks @inline(__always)
  func updateList(_ frames: Int) {
    let (channels, buffers) = (channels, list.buffers)
    let bytes = UInt32(truncatingIfNeeded: size(frames))
    list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: bufferCount)
    let channelsPerBuffer = header.pointee.channelsPerBuffer
    forEachBuffer { index in
      buffers[index] = AudioBuffer(
        mNumberChannels: channelsPerBuffer, mDataByteSize: bytes, mData: channels[index])
    }
  }

  /// [render thread] Removes the memory from the list, so that the source provides it.
  @_noLocks
  public func prepareEmptyList(_ frames: Int) {
    let buffers = list.buffers
    list.pointee.mNumberBuffers = UInt32(bufferCount)
    for index in 0..<bufferCount {
      buffers[index] = AudioBuffer(
        mNumberChannels: header.pointee.channelsPerBuffer, mDataByteSize: UInt32(size(frames)),
        mData: nil)
    }
  }

  /// [render thread] Points at the samples in the list that a source has filled. False if the list
  /// has another number of buffers, no memory, or fewer than `frames` frames in a buffer.
  @_noLocks @inline(__always)
  public func adopt(_ frames: Int) -> Bool { point(at: list, frames) }

  /// [render thread] Points at the memory of a caller's list; false if the list does not fit.
  @_noLocks @inline(__always)
  public func point(at other: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) -> Bool {
    guard isLike(other) else { return false }
    let (channels, buffers) = (channels, other.buffers)
    let bytes = UInt32(truncatingIfNeeded: size(frames))
    var fits = true
    forEachBuffer { index in
      guard let data = buffers[index].mData, buffers[index].mDataByteSize >= bytes else {
        fits = false
        return
      }
      channels[index] = data.assumingMemoryBound(to: Float.self)
    }
    return fits
  }

  /// [render thread] Points at planar Float32 channels elsewhere.
  @_noLocks
  public func point(
    at other: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, _ frames: Int
  ) {
    let channels = channels
    for index in 0..<bufferCount { channels[index] = other[index] + offset }
    updateList(frames)
  }

  /// [render thread] Points at the samples of a bus with the same layout.
  @_noLocks @inline(__always)
  func borrow(_ other: BusBuffer) {
    let (channels, theirs) = (channels, other.channels)
    forEachBuffer { channels[$0] = theirs[$0] }
  }

  /// [render thread] As above, for a bus with the same format, whatever it is.
  @_noLocks
  func borrow(anyFormat other: BusBuffer) {
    for index in 0..<bufferCount { channels[index] = other.channels[index] }
  }

  /// [render thread] Whether both are planar Float32 with the same number of channels.
  @_noLocks @inline(__always)
  func isLike(_ other: BusBuffer) -> Bool {
    let count = header.pointee.planarCount
    return count > 0 && count == other.header.pointee.planarCount
  }

  /// [render thread] Whether a list has the same number of buffers as this bus.
  @_noLocks
  func isLike(_ other: UnsafePointer<AudioBufferList>) -> Bool {
    other.pointee.mNumberBuffers == UInt32(bufferCount)
  }

  /// [render thread] Whether a list with the same number of buffers has no memory.
  @_noLocks
  func isEmpty(_ other: UnsafeMutablePointer<AudioBufferList>) -> Bool {
    let buffers = other.buffers
    for index in 0..<bufferCount where buffers[index].mData != nil { return false }
    return true
  }

  /// [render thread] The current address of buffer `index`.
  @_noLocks
  public func data(_ index: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(channels[index])
  }

  /// [render thread] Whether `frames` frames can be delivered to a list: it has as many buffers, and
  /// these have enough memory or none.
  @_noLocks
  package func fits(_ other: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) -> Bool {
    guard isLike(UnsafePointer(other)) else { return false }
    let buffers = other.buffers
    for index in 0..<bufferCount
    where buffers[index].mData != nil && Int(buffers[index].mDataByteSize) < size(frames) {
      return false
    }
    return true
  }

  // MARK: Copies

  /// [render thread] Copies a planar Float32 bus. If it has fewer channels, its last one is copied
  /// to all remaining channels; excess channels are dropped.
  @_noLocks
  func copy(_ other: BusBuffer, _ frames: Int) {
    for index in 0..<bufferCount {
      let source = other.data(min(index, other.channelCount - 1))
      if source != data(index) { data(index).copyMemory(from: source, byteCount: size(frames)) }
    }
  }

  /// [render thread] Fills `frames` frames with silence at their current location.
  @_noLocks
  public func clear(_ frames: Int) {
    for index in 0..<bufferCount {
      data(index).initializeMemory(as: UInt8.self, repeating: 0, count: size(frames))
    }
  }

  /// [render thread] Delivers the samples: copies them into the caller's memory, or passes pointers
  /// to them if the caller's list has no memory.
  @_noLocks
  public func deliver(_ frames: Int, to output: UnsafeMutablePointer<AudioBufferList>) {
    let bytes = size(frames)
    let target = output.buffers
    let byPointer = target[0].mData == nil
    for index in 0..<bufferCount {
      if byPointer {
        target[index].mData = data(index)
      } else if let to = target[index].mData, to != data(index) {
        to.copyMemory(from: data(index), byteCount: bytes)
      }
      target[index].mDataByteSize = UInt32(bytes)
    }
  }
}
