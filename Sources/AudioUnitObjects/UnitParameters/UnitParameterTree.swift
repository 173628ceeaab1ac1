// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
package import CoreAudio
package import Foundation

/// The tree of all parameters that a C unit has.
///
/// It reads values from the unit and sets them there, also those that programs set in C. The
/// listeners of the C interface are told what the tree changes, and the observers of the tree what
/// C programs change and report (`AUParameterSet`, `AUParameterListenerNotify`,
/// `AUEventListenerNotify`). After the unit was disposed of, the values that were set last remain.
package final class UnitParameterTree: AUParameterTree, @unchecked Sendable {
  private struct Nodes {
    var children: [AUParameterNode] = []
    var parameters: [AUParameterAddress: AUParameter] = [:]
  }

  /// The unit; nil for a tree of an archive.
  private let unit: UnitParameters?
  private let nodes = Guarded(Nodes())

  /// [control thread] The parameters that a C unit has now; nil if there is no such unit.
  package init?(of unit: AudioUnit) {
    self.unit = UnitParameters(unit)
    super.init(children: [])
    guard update() else { return nil }
  }

  /// [control thread] Takes over the parameters that the unit has now; false if there is no such unit.
  ///
  /// A parameter that is still there stays the same object, with its observers, and may have another
  /// range. Groups are new ones.
  @discardableResult
  package func update() -> Bool {
    guard let unit else { return false }
    let known = nodes.withLock { $0.parameters }
    let children = UnitInstance.use(unit.handle) { instance -> [AUParameterNode]? in
      var nodes = UnitTreeNodes(instance, unit, known: known)
      return nodes.all()
    }
    guard let children else { return false }
    adopt(children)
    let parameters = Self.byAddress(children)
    nodes.withLock { $0 = Nodes(children: children, parameters: parameters) }
    unit.connect(parameters.values)
    return true
  }

  package override var children: [AUParameterNode] { nodes.withLock { $0.children } }

  package override func parameter(withAddress address: AUParameterAddress) -> AUParameter? {
    nodes.withLock { $0.parameters[address] }
  }

  override var implementors: [any ParameterImplementor] { unit.map { [$0] } ?? [] }

  // MARK: Coding

  /// Archives have the tree without its unit.
  package override var classForCoder: AnyClass { AUParameterTree.self }

  package required init?(coder: NSCoder) {
    unit = nil
    super.init(coder: coder)
    let children = super.children
    nodes.withLock { $0 = Nodes(children: children, parameters: Self.byAddress(children)) }
  }
}
