// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The ports of an instance for sound, and the samples to which they are connected: for formats in which a host
/// connects each port to an address.
final class ConnectedPorts: @unchecked Sendable {
  /// Connects a port.
  typealias Connect = (_ port: UInt32, _ samples: UnsafeMutablePointer<Float>) -> Void

  private let ports: UnsafeMutablePointer<UInt32>
  private let connected: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// Where ports are connected outside blocks.
  private let silence: UnsafeMutablePointer<Float>
  private let inputCount: Int
  private let count: Int

  /// [control thread] The ports of a plug-in for blocks of at most so many frames, not connected yet.
  init(_ plugIn: PlugInDescription, maximumFrames: Int) {
    let inputs = plugIn.inputs.flatMap(\.ports)
    let all = inputs + plugIn.outputs.flatMap(\.ports)
    (inputCount, count) = (inputs.count, all.count)
    ports = .allocate(capacity: max(count, 1))
    connected = .allocate(capacity: max(count, 1))
    for (index, port) in all.enumerated() {
      (ports + index).initialize(to: UInt32(port))
      (connected + index).initialize(to: nil)
    }
    silence = .allocate(capacity: max(maximumFrames, 1))
    silence.initialize(repeating: 0, count: max(maximumFrames, 1))
  }

  deinit {
    ports.deallocate()
    connected.deallocate()
    silence.deallocate()
  }

  /// [any thread] Connects all to memory that lasts: that of the last block may have been freed, and a plug-in may
  /// look at any port when it is activated.
  func disconnect(_ connect: Connect) {
    for index in 0..<count { self.connect(index, silence, connect) }
  }

  /// [render thread] Connects all to the samples of a block.
  func connect(to block: PlugInBlock, _ connect: Connect) {
    for index in 0..<inputCount { self.connect(index, block.inputs[index], connect) }
    for index in inputCount..<count {
      self.connect(index, block.outputs[index - inputCount], connect)
    }
  }

  private func connect(_ index: Int, _ samples: UnsafeMutablePointer<Float>, _ connect: Connect) {
    guard connected[index] != samples else { return }
    connected[index] = samples
    connect(ports[index], samples)
  }
}
