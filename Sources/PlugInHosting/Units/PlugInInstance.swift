// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// A plug-in whose library is loaded.
protocol LoadedPlugIn: AnyObject, Sendable {
  /// The process in which it is loaded; nil: that of the program.
  var ownProcess: (any PlugInProcess)? { get }

  /// [control thread] Makes an instance, which is not activated. `controls` has the values of the
  /// plug-in's parameters.
  /// - Throws: `failedInitialization` if the plug-in refuses.
  func makeInstance(_ setup: InstanceSetup) throws(AudioError) -> PlugInInstance

  /// [control thread] What a factory preset contains in addition to values; nil: nothing.
  func state(ofPreset identifier: String) -> [UInt8]?

  /// [control thread] Whether a state that an instance has saved can be read.
  func canRead(_ state: [UInt8]) -> Bool

  /// [control thread] The values of the plug-in's parameters in such a state, in the order of its description;
  /// nil: it contains none.
  func values(of state: [UInt8]) -> [Float]?

  /// [control thread] The text of a value of the plug-in's parameter with this index, and the value of a text; nil:
  /// the plug-in has none.
  func text(of parameter: Int, _ value: Float) -> String?
  func value(of parameter: Int, _ text: String) -> Float?
}

extension LoadedPlugIn {
  var ownProcess: (any PlugInProcess)? { nil }
  func state(ofPreset identifier: String) -> [UInt8]? { nil }
  func canRead(_ state: [UInt8]) -> Bool { false }
  func values(of state: [UInt8]) -> [Float]? { nil }
  func text(of parameter: Int, _ value: Float) -> String? { nil }
  func value(of parameter: Int, _ text: String) -> Float? { nil }
}

/// For what an instance is made.
struct InstanceSetup: Sendable {
  var sampleRate: Double
  var maximumFrames: Int
  /// The values of the plug-in's parameters, in the order of its description.
  var controls: [Float]
  /// What the plug-in has saved in addition; nil: nothing.
  var state: [UInt8]?
  /// Whether the host renders offline.
  var isOffline = false
  /// The frames by which its output lags, if that was measured.
  var latencyFrames = 0
  /// Where the plug-in's requests go, which `PlugInThread` passes to a client.
  var requests: PlugInRequests?
}

/// The frames that an instance processes in one call.
struct PlugInBlock: BitwiseCopyable {
  /// The channels of all input buses, one bus after the other, and of all output buses. No channel is in
  /// both: plug-ins never process in place.
  var inputs: UnsafePointer<UnsafeMutablePointer<Float>>
  var outputs: UnsafePointer<UnsafeMutablePointer<Float>>
  var frameCount: Int
  /// Frames since the start of the render, of which this is a part.
  var offset: Int
  /// The MIDI messages of its frames, in order, with frames of the render.
  var events: UnsafeMutablePointer<HostedEvent>?
  var eventCount = 0
  /// Receives the messages that the plug-in sends.
  var outbox: UnsafeMutablePointer<HostedOutbox>?
  /// The parameters whose values the plug-in has changed.
  var changes: UnsafeMutablePointer<HostedChanges>?
  /// Where the host is in musical time at the first frame; nil: nobody knows.
  var position: MusicalPosition?
  /// Whether it does not follow from that of the block before.
  var isNewPosition = false
  /// Whether the host renders offline.
  var isOffline = false

  @_noLocks
  init(
    inputs: UnsafePointer<UnsafeMutablePointer<Float>>,
    outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, offset: Int
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.frameCount = frameCount
    self.offset = offset
  }
}

/// One instance of a plug-in, at one sample rate. Each format derives its own class.
class PlugInInstance: @unchecked Sendable {
  /// The values of the plug-in's parameters, in the order of its description: those that it reads, and
  /// those that it writes.
  let controls: UnsafeMutablePointer<Float>
  /// [render thread] Why the last block has no sound of the plug-in; `noErr`: it has.
  final var renderStatus = noErr

  init(_ plugIn: PlugInDescription, _ setup: InstanceSetup) {
    let count = plugIn.parameters.count
    controls = .allocate(capacity: max(count, 1))
    for index in 0..<count {
      (controls + index).initialize(
        to: setup.controls.indices.contains(index)
          ? setup.controls[index]
          : plugIn.parameters[index].defaultValue(at: setup.sampleRate))
    }
  }

  deinit { controls.deallocate() }

  /// [control thread] Prepares it for `run`.
  /// - Throws: `failedInitialization` if the plug-in refuses.
  func activate() throws(AudioError) {}

  /// [control thread] Ends what `activate` began.
  func deactivate() {}

  /// [any thread] Whether `reset` may be called by a render that somebody waits for. Otherwise deactivating and
  /// activating it has the same effect.
  var resetsInRenders: Bool { false }

  /// [render thread] Forgets the history of the signal.
  func reset() {}

  /// [control thread, while it is active] The frames by which its output lags, and of its tail, if they are no
  /// parameters; nil: unknown.
  var latencyFrames: Int? { nil }
  var tailFrames: Int? { nil }

  /// [control thread] Whether the host renders offline from now on.
  func setOffline(_ isOffline: Bool) {}

  /// [control thread] The call that the plug-in has requested.
  func callBack() {}

  /// [plug-in thread] Calls the timers that are due at a host time, and returns when the next one is.
  func callTimers(at hostTime: UInt64) -> UInt64 { .max }

  /// [control thread] The values that the plug-in has now, in the order of its description; nil: those that it was
  /// given.
  var values: [Float]? { nil }

  /// [control thread] What it saves in addition to its controls; nil: nothing.
  var state: [UInt8]? { nil }

  /// [control thread, while it does not run] Restores such a state; false if it cannot be read.
  func restore(_ state: [UInt8]) -> Bool { false }

  /// [render thread] Processes a block with the current controls.
  func run(_ block: PlugInBlock) {}
}
