// SPDX-License-Identifier: Apache-2.0

// The samples of one channel as a span, which cannot outlive the buffer. The span of a channel of an
// interleaved buffer reaches to the end of the buffer: the next frame is `stride` samples on.

extension AVReadOnlyAudioPCMBuffer {
  /// The valid samples of a channel.
  public enum ChannelData: ~Escapable {
    /// Float samples.
    case float(Span<Float>)
    /// Samples of 16 bits.
    case int16(Span<Int16>)
    /// Samples of 32 bits.
    case int32(Span<Int32>)
  }

  /// The valid samples of a channel. A channel that does not exist ends the process, and so do samples
  /// that are neither Float32 nor integers of 16 or 32 bits.
  @_lifetime(borrow self)
  public func channelData(_ index: Int) -> ChannelData {
    switch ChannelMemory(buffer, index, frames: frameLength) {
    case .float(let samples):
      .float(_overrideLifetime(Span(_unsafeElements: .init(samples)), borrowing: self))
    case .int16(let samples):
      .int16(_overrideLifetime(Span(_unsafeElements: .init(samples)), borrowing: self))
    case .int32(let samples):
      .int32(_overrideLifetime(Span(_unsafeElements: .init(samples)), borrowing: self))
    }
  }
}

extension AVAudioPCMBuffer {
  /// A buffer with its own copy of samples. The process ends if there is not enough memory.
  public convenience init(copying source: AVReadOnlyAudioPCMBuffer) {
    self.init(copying: source.buffer)
  }

  /// The valid samples of a channel.
  public enum ChannelData: ~Escapable {
    /// Float samples.
    case float(Span<Float>)
    /// Samples of 16 bits.
    case int16(Span<Int16>)
    /// Samples of 32 bits.
    case int32(Span<Int32>)
  }

  /// Samples of a channel that can be changed.
  public enum MutableChannelData: ~Copyable, ~Escapable {
    /// Float samples.
    case float(MutableSpan<Float>)
    /// Samples of 16 bits.
    case int16(MutableSpan<Int16>)
    /// Samples of 32 bits.
    case int32(MutableSpan<Int32>)
  }

  /// The valid samples of a channel, which must not be changed meanwhile. A channel that does not exist
  /// ends the process, and so do samples that are neither Float32 nor integers of 16 or 32 bits.
  @_lifetime(borrow self)
  public final func channelData(_ index: Int) -> ChannelData {
    switch ChannelMemory(self, index, frames: Int(frameLength)) {
    case .float(let samples):
      .float(_overrideLifetime(Span(_unsafeElements: .init(samples)), borrowing: self))
    case .int16(let samples):
      .int16(_overrideLifetime(Span(_unsafeElements: .init(samples)), borrowing: self))
    case .int32(let samples):
      .int32(_overrideLifetime(Span(_unsafeElements: .init(samples)), borrowing: self))
    }
  }

  /// All samples of a channel for which there is memory; `frameLength` stays as it is. One span of
  /// an interleaved buffer at a time may be in use. A channel that does not exist ends the process, and so
  /// do samples that are neither Float32 nor integers of 16 or 32 bits.
  @_lifetime(borrow self)
  public final func mutableChannelData(_ index: Int) -> MutableChannelData {
    switch ChannelMemory(self, index, frames: Int(frameCapacity)) {
    case .float(let samples):
      .float(_overrideLifetime(MutableSpan(_unsafeElements: samples), borrowing: self))
    case .int16(let samples):
      .int16(_overrideLifetime(MutableSpan(_unsafeElements: samples), borrowing: self))
    case .int32(let samples):
      .int32(_overrideLifetime(MutableSpan(_unsafeElements: samples), borrowing: self))
    }
  }
}

/// Where the samples of a channel are.
private enum ChannelMemory {
  case float(UnsafeMutableBufferPointer<Float>)
  case int16(UnsafeMutableBufferPointer<Int16>)
  case int32(UnsafeMutableBufferPointer<Int32>)

  /// The first frames of a channel.
  init(_ buffer: AVAudioPCMBuffer, _ index: Int, frames: Int) {
    guard (0..<Int(buffer.format.channelCount)).contains(index) else {
      fatalError(
        "AVAudioPCMBuffer: there is no channel \(index); there are \(buffer.format.channelCount)")
    }
    // An interleaved channel begins `index` samples after the first one.
    let count = buffer.stride == 1 ? frames : max(0, frames * buffer.stride - index)
    if let data = buffer.floatChannelData {
      self = .float(.init(start: data[index], count: count))
    } else if let data = buffer.int16ChannelData {
      self = .int16(.init(start: data[index], count: count))
    } else if let data = buffer.int32ChannelData {
      self = .int32(.init(start: data[index], count: count))
    } else {
      fatalError(
        "AVAudioPCMBuffer: channelData is not possible with the samples of \(buffer.format)")
    }
  }
}
