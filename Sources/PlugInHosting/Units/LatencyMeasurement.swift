// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

extension HostedRuntime {
  /// [control thread, while nothing renders] Finds out the latency that an instance of its own reports
  /// after a block of silence. The instances that render begin without a history.
  func measureLatency(of instance: PlugInInstance, _ setup: InstanceSetup) throws(AudioError) {
    let index = plugIn.parameters.firstIndex { $0.purpose == .latency }
    guard let index else { return }
    try instance.activate()
    SilentBlock.run(instance, shape, frames: setup.maximumFrames)
    instance.deactivate()
    let frames = instance.controls[index]
    shared.pointee.latency.store(reportedLatency(frames) ?? 0, ordering: .relaxed)
  }
}

/// A block of silence, for calls outside a render.
enum SilentBlock {
  /// [control thread] Runs an instance on it.
  static func run(_ instance: PlugInInstance, _ shape: HostedShape, frames: Int) {
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    func channels(_ buses: [Int]) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
      let count = buses.reduce(1, +)
      return memory.array((0..<count).map { _ in memory.array(frames, of: 0 as Float) })
    }
    let block = PlugInBlock(
      inputs: channels(shape.inputs), outputs: channels(shape.outputs), frameCount: frames,
      offset: 0)
    PlugInCall.control { instance.run(block) }
  }
}
