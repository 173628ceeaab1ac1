// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// The arguments of one render call, except the memory.
public struct RenderCall {
  public var flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
  public var time: UnsafePointer<AudioTimeStamp>
  public var bus: UInt32
  public var frameCount: UInt32

  @_noLocks
  public init(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32
  ) {
    self.flags = flags
    self.time = time
    self.bus = bus
    self.frameCount = frameCount
  }
}

extension AudioTimeStamp {
  /// The sample time; NaN, which equals nothing, if there is none.
  var renderTime: Double {
    @_noLocks @inline(__always)
    get {
      mFlags.rawValue & AudioTimeStampFlags.sampleTimeValid.rawValue != 0 ? mSampleTime : .nan
    }
  }
}

extension AudioUnitRenderActionFlags {
  /// Whether every sample is zero, according to the code that filled the buffers.
  package var outputIsSilence: Bool {
    @_noLocks get { rawValue & Self.silence != 0 }
    @_noLocks set {
      self = Self(rawValue: newValue ? rawValue | Self.silence : rawValue & ~Self.silence)
    }
  }

  private static var silence: UInt32 {
    @_noLocks get { AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue }
  }
}
