// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import AudioValues

/// A bus of a node, as the source or the destination of a connection. It does not keep the node.
open class AVAudioConnectionPoint: NSObject, @unchecked Sendable {  // it never changes
  private weak let point: AVAudioNode?
  private let number: AVAudioNodeBus

  /// An input or output bus of a node.
  public init(node: AVAudioNode, bus: AVAudioNodeBus) {
    point = node
    number = bus
  }

  /// A bus of a node that may no longer exist.
  init(_ node: AVAudioNode?, _ bus: AVAudioNodeBus) {
    point = node
    number = bus
  }

  /// The node; nil when it no longer exists.
  open var node: AVAudioNode? { point }

  /// The bus of the node.
  open var bus: AVAudioNodeBus { number }

  /// Whether both name the same bus of the same node.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioConnectionPoint else { return false }
    return node === other.node && bus == other.bus
  }

  open override var hash: Int { number }
}
