// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// Shows the values of controls, and each change: a listener is notified, whichever part of the
/// program made it.
final class Display {
  private let lines: [Line]
  private let listener: AUParameterListenerRef

  /// A control and its title.
  private struct Line: Sendable {
    let title: String
    let control: Control

    func show(_ value: Float) { ExampleSupport.show("\(title): \(control.text(value))") }

    func shows(_ parameter: AudioUnitParameter) -> Bool {
      control.parameter.mParameterID == parameter.mParameterID
        && control.parameter.mScope == parameter.mScope
        && control.parameter.mElement == parameter.mElement
    }
  }

  /// Listens to the controls of several groups, all of the same unit.
  init(_ parts: KeyValuePairs<String, [Control]>) throws {
    let lines = parts.flatMap { part, controls in
      controls.map { Line(title: "\(part) \($0.name)", control: $0) }
    }
    self.lines = lines
    // Changes are collected for 50 ms, and reported on a separate queue.
    var listener: AUParameterListenerRef?
    let queue = DispatchQueue(label: "display")
    try check(
      AUListenerCreateWithDispatchQueue(&listener, 0.05, queue) { _, parameter, value in
        lines.first { $0.shows(parameter.pointee) }?.show(value)
      })
    self.listener = try some(listener)
    for line in lines {
      var parameter = line.control.parameter
      try check(AUListenerAddParameter(self.listener, nil, &parameter))
    }
  }

  deinit { AUListenerDispose(listener) }

  /// Shows the values of all controls.
  func showAll() throws {
    for line in lines { line.show(try line.control.value()) }
  }
}
