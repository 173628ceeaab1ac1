// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
package import CoreAudio

extension AUParameterTree {
  /// [control thread] The tree of all parameters that a C unit has now; nil if there is no such
  /// unit.
  ///
  /// It reads values from the unit and sets them there, also those that programs set in C. The
  /// listeners of the C interface are told what the tree changes, and the observers of the tree what
  /// C programs change and report (`AUParameterSet`, `AUParameterListenerNotify`,
  /// `AUEventListenerNotify`). When the unit gets other parameters, another tree is needed. After
  /// the unit was disposed of, the values that were set last remain.
  package convenience init?(of unit: AudioUnit) {
    let parameters = UnitParameters(unit)
    let nodes = UnitInstance.use(unit) { unit -> [AUParameterNode]? in
      var nodes = UnitTreeNodes(unit, parameters)
      return nodes.all()
    }
    guard let nodes else { return nil }
    self.init(children: nodes)
    parameters.connect(allParameters)
  }
}
