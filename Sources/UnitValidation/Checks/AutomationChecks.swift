// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Parameters that change within a slice.
enum AutomationChecks {
  /// A scheduled change has taken effect at the end of the slice.
  static func scheduled(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(48_000))
    let parameters = try run.tested.someParameters(where: \.isPlain)
    for parameter in parameters {
      for (index, value) in parameter.testValues.enumerated() {
        var event = AudioUnitParameterEvent()
        (event.scope, event.element, event.parameter) = (parameter.scope, 0, parameter.id)
        event.eventType = .parameterEvent_Immediate
        event.eventValues.immediate.bufferOffset = UInt32(31 * (index + 1))
        event.eventValues.immediate.value = value
        try expect(
          AudioUnitScheduleParameters(run.tested.unit, &event, 1), "scheduling \(parameter.title)")
        try run.mustRender(256, "with \(parameter.title) scheduled")
        let actual = try parameter.value()
        try expect(
          parameter.equals(actual, value),
          "\(parameter.title) is \(actual) after a slice in which it was scheduled to be \(value)")
      }
      _ = parameter.set(parameter.info.defaultValue)
    }
    // The buffer offset of AudioUnitSetParameter means the same.
    let parameter = parameters[0]
    try expect(
      parameter.set(parameter.testValues[1], at: 100), "setting \(parameter.title) at frame 100")
    try run.mustRender(256)
    try expect(
      parameter.equals(try parameter.value(), parameter.testValues[1]),
      "\(parameter.title) is not what it was set to at frame 100 of a slice")
    return "\(parameters.count) parameters"
  }

  /// A ramp ends at its end value, also over several slices.
  static func ramps(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(48_000))
    let parameters = try run.tested.someParameters {
      $0.isPlain && $0.info.flags.contains(.flag_CanRamp)
    }
    for parameter in parameters {
      var event = AudioUnitParameterEvent()
      (event.scope, event.element, event.parameter) = (parameter.scope, 0, parameter.id)
      event.eventType = .parameterEvent_Ramped
      event.eventValues.ramp.durationInFrames = 600
      event.eventValues.ramp.startValue = parameter.range.lowerBound
      event.eventValues.ramp.endValue = parameter.range.upperBound
      // A ramp is scheduled again for each slice, relative to its first frame.
      for slice in 0..<3 {
        event.eventValues.ramp.startBufferOffset = Int32(-256 * slice)
        try expect(
          AudioUnitScheduleParameters(run.tested.unit, &event, 1), "ramping \(parameter.title)")
        try run.mustRender(256, "while \(parameter.title) ramps")
      }
      let actual = try parameter.value()
      try expect(
        parameter.equals(actual, parameter.range.upperBound),
        "\(parameter.title) is \(actual) after a ramp to \(parameter.range.upperBound)")
      _ = parameter.set(parameter.info.defaultValue)
    }
    return "\(parameters.count) parameters"
  }

  /// The output stays finite at extreme and at jumping parameter values.
  static func extremes(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(480_000))
    let parameters = try run.tested.someParameters(where: \.isWritable)
    var generator = SeededGenerator(2)
    for parameter in parameters {
      for value in parameter.testValues {
        _ = parameter.set(value)
        for _ in 0..<3 { try run.mustRender(200, "with \(parameter.title) at \(value)") }
      }
      _ = parameter.set(parameter.info.defaultValue)
    }
    for round in 0..<subject.choice([100], all: [3_000])[0] {
      for parameter in parameters {
        _ = parameter.set(
          parameter.isStepped
            ? parameter.testValues[generator.next(in: 0..<3)]
            : generator.next(in: parameter.range), at: UInt32(generator.next(in: 0..<64)))
      }
      try run.mustRender(64, "random parameters, round \(round)")
    }
    return nil
  }
}
