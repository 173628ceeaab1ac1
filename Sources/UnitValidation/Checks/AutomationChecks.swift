// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Parameters that change within a slice.
enum AutomationChecks {
  /// A change that is scheduled is in effect after the slice.
  static func scheduled(_ subject: Subject) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(48_000))
    let parameters = try run.tested.someParameters(where: \.isPlain)
    for parameter in parameters {
      for (index, value) in parameter.choice.enumerated() {
        var event = AudioUnitParameterEvent()
        (event.scope, event.element, event.parameter) = (parameter.scope, 0, parameter.id)
        event.eventType = .parameterEvent_Immediate
        event.eventValues.immediate.bufferOffset = UInt32(31 * (index + 1))
        event.eventValues.immediate.value = value
        try expect(
          AudioUnitScheduleParameters(run.tested.unit, &event, 1), "scheduling \(parameter.title)")
        try run.mustRender(256, "with \(parameter.title) scheduled")
        let kept = try parameter.value()
        try expect(
          parameter.equals(kept, value),
          "\(parameter.title) is \(kept) after a slice in which it was scheduled to be \(value)")
      }
      _ = parameter.set(parameter.info.defaultValue)
    }
    // An offset of AudioUnitSetParameter means the same.
    let parameter = parameters[0]
    try expect(
      parameter.set(parameter.choice[1], at: 100), "setting \(parameter.title) at frame 100")
    try run.mustRender(256)
    try expect(
      parameter.equals(try parameter.value(), parameter.choice[1]),
      "\(parameter.title) is not what it was set to at frame 100 of a slice")
    return "\(parameters.count) parameters"
  }

  /// A parameter that can ramp arrives where its ramp leads, also over several slices.
  static func ramps(_ subject: Subject) throws -> String? {
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
      // A ramp is told again for each slice that it covers, from where it began.
      for slice in 0..<3 {
        event.eventValues.ramp.startBufferOffset = Int32(-256 * slice)
        try expect(
          AudioUnitScheduleParameters(run.tested.unit, &event, 1), "ramping \(parameter.title)")
        try run.mustRender(256, "while \(parameter.title) ramps")
      }
      let kept = try parameter.value()
      try expect(
        parameter.equals(kept, parameter.range.upperBound),
        "\(parameter.title) is \(kept) after a ramp to \(parameter.range.upperBound)")
      _ = parameter.set(parameter.info.defaultValue)
    }
    return "\(parameters.count) parameters"
  }

  /// Whatever its parameters are, and while they jump, the output stays finite.
  static func extremes(_ subject: Subject) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(480_000))
    let parameters = try run.tested.someParameters(where: \.isWritable)
    var dice = Dice(2)
    for parameter in parameters {
      for value in parameter.choice {
        _ = parameter.set(value)
        for _ in 0..<3 { try run.mustRender(200, "with \(parameter.title) at \(value)") }
      }
      _ = parameter.set(parameter.info.defaultValue)
    }
    for round in 0..<subject.choice([100], all: [3_000])[0] {
      for parameter in parameters {
        _ = parameter.set(
          parameter.isStepped
            ? parameter.choice[dice.next(in: 0..<3)]
            : dice.next(in: parameter.range), at: UInt32(dice.next(in: 0..<64)))
      }
      try run.mustRender(64, "random parameters, round \(round)")
    }
    return nil
  }
}
