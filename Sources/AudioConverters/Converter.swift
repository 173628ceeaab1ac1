// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioConversion
public import AudioSupport
public import CAudioToolbox
import Glibc
import SignalProcessing
import Synchronization

/// The object behind an `AudioConverterRef`: converts packets of one format to packets of another.
///
/// Only one thread at a time may convert, set properties or reset. A second thread is refused, and
/// so is a change from inside the input function. Reading properties is always allowed.
public final class Converter: @unchecked Sendable {
  /// All converters of the process.
  public static let handles = HandleTable<Converter, AudioConverterRef>(kind: 8)

  /// The formats, with every field filled in.
  public let inputFormat: AudioStreamBasicDescription
  public let outputFormat: AudioStreamBasicDescription
  /// Whether it converts whole buffers only.
  let isUnbuffered: Bool
  var settings = ConverterSettings()
  let input: PacketInput
  /// The decoder of a compressed input, and the encoder of a compressed output.
  let decoding: PacketDecoding?
  let encoding: PacketEncoding?
  /// Converts linear PCM: from the input or the decoder to the output or the encoder.
  var frames: FrameConverter {
    get { framesCell.pointee }
    set { framesCell.pointee = newValue }
  }
  private let framesCell: UnsafeMutablePointer<FrameConverter>
  private let memory: OwnedMemory
  /// The addresses of the output buffers, and of the input when whole buffers are converted.
  let outputMemory: UnsafeMutablePointer<UnsafeMutableRawPointer>
  let inputMemory: UnsafeMutablePointer<UnsafeRawPointer>
  private let isBusy = Atomic(false)
  private let isDisposed = Atomic(false)

  /// [control thread] Creates a converter between two formats.
  public init(
    from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription,
    isUnbuffered: Bool = false
  ) throws(AudioError) {
    var (from, to) = try Self.complete(source, destination)
    decoding = try CompressedFormat.of(from.mFormatID).map { codec throws(AudioError) in
      try PacketDecoding(codec, from)
    }
    encoding = try CompressedFormat.of(to.mFormatID).map { codec throws(AudioError) in
      try PacketEncoding(codec, to, bits: Self.losslessBits(from, to))
    }
    if let encoding { to.mFramesPerPacket = UInt32(clamping: encoding.encoder.framesPerPacket) }
    (inputFormat, outputFormat) = (from, to)
    self.isUnbuffered = isUnbuffered
    let decoded = decoding?.decodedFormat
    let linearInput = if let decoded { decoded } else { try Self.linear(from) }
    let linearOutput = if let encoding { encoding.encoder.format } else { try Self.linear(to) }
    let setup = FrameConverter.Setup(source: linearInput, destination: linearOutput)
    guard !isUnbuffered || from.mSampleRate == to.mSampleRate else {
      throw .converterFormat.because(
        "without a buffer the rates must be equal: \(setup.source.text) to "
          + "\(setup.destination.text)")
    }
    let frames = try FrameConverter(setup)
    input = PacketInput(
      from, bufferCount: decoded == nil ? linearInput.bufferCount : 1,
      channelsPerBuffer: linearInput.channelsPerBuffer)
    memory = OwnedMemory()
    framesCell = memory.cell(frames)
    outputMemory = memory.room(
      setup.destination.bufferCount, for: UnsafeMutableRawPointer.self)
    inputMemory = memory.room(setup.source.bufferCount, for: UnsafeRawPointer.self)
  }

  deinit { memory.deallocate() }

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
    try exclusively { () throws(AudioError) in try resetSignal() }
  }

  /// Clears the signal history; called within `exclusively`.
  func resetSignal() throws(AudioError) {
    input.reset()
    decoding?.reset()
    try encoding?.reopen()
    frames.reset()
  }

  /// [control thread] States how many bits the samples of the input have, if fewer than their format
  /// could hold: whole numbers in floating point, for example.
  package func set(sourceBits: Int) throws(AudioError) {
    try exclusively { () throws(AudioError) in try change { $0.sourceBits = sourceBits } }
  }

  /// The bits of the samples that a lossless codec decodes, if its format states them.
  private var decodedBits: Int? {
    guard decoding != nil, inputFormat.mFormatFlags != 0,
      CompressedFormat.of(inputFormat.mFormatID)?.isLossless == true
    else { return nil }
    return CompressedFormat.losslessBits(inputFormat)
  }

  /// Applies changed settings; changes nothing when they are refused.
  func apply(_ changed: ConverterSettings) throws(AudioError) {
    var setup = FrameConverter.Setup(
      source: frames.setup.source, destination: frames.setup.destination)
    setup.quality = changed.filterQuality
    setup.phase = changed.phase
    setup.initialPhase = changed.initialPhase
    setup.priming = changed.priming
    setup.dither = changed.dither
    // A lossless codec preserves fewer bits than its encoder accepts.
    if setup.dither.bits == 0, let encoding { setup.dither.bits = encoding.settings.bits }
    setup.sourceBits = changed.sourceBits ?? decodedBits
    setup.mixing = mixing(changed)
    frames = try FrameConverter(setup)
    settings = changed
    try resetSignal()
  }
}
