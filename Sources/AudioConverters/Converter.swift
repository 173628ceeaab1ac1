// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import Synchronization

/// The object behind an `AudioConverterRef`: converts packets of one format to packets of another.
///
/// Only one thread at a time may convert, set properties or reset. A second thread is refused, and
/// so is a change from inside the input function. Reading properties is always allowed.
public final class Converter: @unchecked Sendable {
  /// All converters of the process.
  public static let handles = HandleTable<Converter, AudioConverterRef>(kind: 8)

  /// Whether it converts whole buffers only.
  private let isUnbuffered: Bool
  private let path: SignalPath
  private let output: PacketOutput
  private let wholeBuffers: WholeBuffers
  private let isBusy = Atomic(false)
  private let isDisposed = Atomic(false)

  /// [control thread] Creates a converter between two formats.
  public init(
    from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription,
    isUnbuffered: Bool = false
  ) throws(AudioError) {
    path = try SignalPath(from: source, to: destination)
    output = PacketOutput(path)
    wholeBuffers = WholeBuffers(path)
    self.isUnbuffered = isUnbuffered
    guard !isUnbuffered || inputFormat.mSampleRate == outputFormat.mSampleRate else {
      let setup = path.frames.setup
      throw .converterFormat.because(
        "without a buffer the rates must be equal: \(setup.source.text) to "
          + "\(setup.destination.text)")
    }
  }

  /// The formats, with every field filled in.
  public var inputFormat: AudioStreamBasicDescription { path.formats.input }
  public var outputFormat: AudioStreamBasicDescription { path.formats.output }

  // MARK: Life

  /// [control thread] Creates a converter and its handle.
  public static func make(
    from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription,
    isUnbuffered: Bool = false
  ) throws(AudioError) -> AudioConverterRef {
    try handles.insert(
      try Converter(from: source, to: destination, isUnbuffered: isUnbuffered))
  }

  /// [control thread] Disposes of a converter. Called inside its input function, it takes effect
  /// when the conversion returns.
  public static func dispose(_ handle: AudioConverterRef) throws(AudioError) {
    guard let unmanaged = handles.enter(handle) else { throw .stale("converter") }
    let isConverting = unmanaged._withUnsafeGuaranteedRef { $0.isBusy.load(ordering: .acquiring) }
    if isConverting {
      unmanaged._withUnsafeGuaranteedRef { $0.isDisposed.store(true, ordering: .releasing) }
    }
    handles.leave(handle)
    guard handles.invalidate(handle) else { throw .stale("converter") }
    if !isConverting { _ = handles.release(handle) }
  }

  /// [any thread] Runs `body` with the converter behind a handle, and keeps it alive meanwhile.
  public static func use(
    _ handle: AudioConverterRef, _ body: (Converter) throws(AudioError) -> Void
  ) throws(AudioError) {
    guard let unmanaged = handles.enter(handle) else { throw .stale("converter") }
    var isReleaseDue = false
    defer {
      handles.leave(handle)
      if isReleaseDue { _ = handles.release(handle) }
    }
    // The counted use keeps it alive.
    let converter = unmanaged.takeUnretainedValue()
    defer { isReleaseDue = converter.isReleaseDue }
    try body(converter)
  }

  /// Whether the converter was disposed of during the conversion that has just ended. True only
  /// once.
  private var isReleaseDue: Bool {
    !isBusy.load(ordering: .acquiring)
      && isDisposed.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// [any thread] Runs `body`; throws when another thread converts or changes the converter.
  public func exclusively<Result>(
    _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    guard
      isBusy.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
        .exchanged
    else {
      throw .converterOperation.because(
        "the converter is in use: by another thread, or by a call inside its input function")
    }
    defer { isBusy.store(false, ordering: .releasing) }
    return try body()
  }

  /// [any thread] Clears the signal history.
  public func reset() throws(AudioError) {
    try exclusively { () throws(AudioError) in try path.reset() }
  }

  // MARK: Packets that an input supplies

  /// [any thread] Makes packets, as `AudioConverterFillComplexBuffer` does. `packets` is the number
  /// requested; on return, even after an error, the number made.
  public func fill(
    _ source: some ConverterInput, packets: UnsafeMutablePointer<UInt32>,
    into list: UnsafeMutablePointer<AudioBufferList>,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(AudioError) {
    try exclusively { () throws(AudioError) in
      guard !isUnbuffered else {
        throw .converterOperation.because("the converter was made to convert whole buffers only")
      }
      try output.fill(list, packets: packets, descriptions: descriptions, from: source)
    }
  }

  /// [any thread] Converts frames, as `AudioConverterFillBuffer` does: input and output are counted
  /// in bytes.
  public func fillBytes(
    _ function: @escaping AudioConverterInputDataProc, _ userData: UnsafeMutableRawPointer?,
    for handle: AudioConverterRef, into memory: UnsafeMutableRawPointer,
    size: UnsafeMutablePointer<UInt32>
  ) throws(AudioError) {
    let packetSize = outputFormat.mBytesPerPacket
    guard packetSize > 0, inputFormat.mBytesPerPacket > 0, output.bufferCount == 1,
      path.input.packets.bufferCount == 1
    else {
      throw .converterOperation.because(
        "bytes alone do not describe these formats; use AudioConverterFillComplexBuffer")
    }
    var packets = size.pointee / packetSize
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: outputFormat.mChannelsPerFrame, mDataByteSize: size.pointee, mData: memory)
    )
    defer { size.pointee = packets * packetSize }
    var source = ByteInput(
      function: function, userData: userData, bytesPerPacket: inputFormat.mBytesPerPacket)
    try withUnsafeMutablePointer(to: &source) { source throws(AudioError) in
      try fill(
        InputCall(ByteInput.supply, source, for: handle), packets: &packets, into: &list,
        descriptions: nil)
    }
  }

  /// [any thread] Memory for a direct copy of this many frames; nil when they have to be converted,
  /// or need more than one buffer.
  ///
  /// This saves a copy: the caller writes frames of the input's format into this memory, sets their
  /// byte count in the list, and does not call `fill`.
  package func room(
    forCopiesOf frames: Int, in list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> UnsafeMutableRawBufferPointer? {
    try exclusively { () throws(AudioError) in try output.room(forCopiesOf: frames, in: list) }
  }

  /// [any thread] Throws when one of the formats is compressed.
  public func requireLinear() throws(AudioError) {
    for format in [inputFormat, outputFormat] where format.mFormatID != kAudioFormatLinearPCM {
      throw .converterOperation.because(
        "\(StreamFormat.describe(format)): a render thread can only convert linear PCM")
    }
  }

  /// The encoder's delay in frames, and the frames it has encoded; nil without an encoder.
  public var encodedFrames: (delay: Int, frames: Int)? {
    path.encoding.map { ($0.encoder.delayFrames, $0.framesIn) }
  }

  // MARK: Whole buffers

  /// [any thread] Converts one buffer, as `AudioConverterConvertBuffer` does.
  public func convert(
    _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawPointer,
    size: UnsafeMutablePointer<UInt32>
  ) throws(AudioError) {
    try exclusively { () throws(AudioError) in
      try wholeBuffers.convert(source, into: destination, size: size)
    }
  }

  /// [any thread] Converts frames, as `AudioConverterConvertComplexBuffer` does.
  public func convert(
    _ count: Int, from source: UnsafePointer<AudioBufferList>,
    into destination: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) {
    try exclusively { () throws(AudioError) in
      try wholeBuffers.convert(count, from: source, into: destination)
    }
  }

  // MARK: Properties

  /// The identifiers of all properties.
  package static var propertyIDs: [AudioConverterPropertyID] {
    ConverterProperties.table.rows.map(\.id)
  }

  /// [control thread] The size of a property and whether it can be set.
  public func information(of id: AudioConverterPropertyID) throws(AudioError) -> PropertyInfo {
    try ConverterProperties.table.info(PropertyAddress(id), of: path)
  }

  /// [control thread] Reads a property into memory of `size` bytes and sets `size` to its size.
  public func read(
    _ id: AudioConverterPropertyID, into memory: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    try ConverterProperties.table.read(PropertyAddress(id), of: path, into: memory, size: &size)
  }

  /// [control thread] Sets a property.
  public func write(_ id: AudioConverterPropertyID, _ data: UnsafeRawBufferPointer)
    throws(AudioError)
  {
    let (address, properties) = (PropertyAddress(id), ConverterProperties.table)
    let row = try properties.row(address, of: path)
    guard row.write != nil else { throw properties.readOnly(address) }
    try exclusively { () throws(AudioError) in
      try properties.write(row, address, of: path, data)
    }
  }

  /// [control thread] Applies settings in the form of `kAudioConverterPropertySettings`.
  public func write(settings list: PropertyList) throws(AudioError) {
    try exclusively { () throws(AudioError) in
      try ConverterProperties.apply(settings: list, to: path)
    }
  }

  /// [control thread] States how many bits the samples of the input have, if fewer than their format
  /// could hold: whole numbers in floating point, for example.
  package func set(sourceBits: Int) throws(AudioError) {
    try exclusively { () throws(AudioError) in try path.change { $0.sourceBits = sourceBits } }
  }

  /// [control thread] Lets the encoder of a lossless format use several threads, which changes no byte
  /// of its packets, but lets them arrive later. Others have one thread: each of their packets depends
  /// on those before it.
  package func set(encoderThreads threads: Int) throws(AudioError) {
    try exclusively { () throws(AudioError) in try path.set(encoderThreads: threads) }
  }
}
