// SPDX-License-Identifier: Apache-2.0
// Validates the units of CFaultyUnit, each in a separate process, and prints the findings as JSON:
//   FaultyUnits fine       the unit without a fault, at the strictest level
//   FaultyUnits subclass   a unit of Swift without a fault, at the strictest level
//   FaultyUnits filter     the filter of the example FilterUnit, at the strictest level
//   FaultyUnits instrument an instrument with MIDI output without a fault, at the strictest level
//   FaultyUnits faults     for each check the unit with its fault, by that check only
//   FaultyUnits checks     the names of all checks, one per line
import AudioToolbox
import CFaultyUnit
import UnitValidation

faulty_units_register()
AUAudioUnit.registerSubclass(
  Attenuator.self, as: Attenuator.codes, name: "Tests: Attenuator", version: 0x0001_0000)
AUAudioUnit.registerSubclass(
  LowPass.self, as: LowPass.codes, name: "Examples: Low Pass", version: 0x0001_0000)
AUAudioUnit.registerSubclass(
  Whistle.self, as: Whistle.codes, name: "Tests: Whistle", version: 0x0001_0000)
ValidationWorker.runIfStarted()

func component(_ type: UInt32, _ subtype: UInt32) -> AudioComponent {
  var description = AudioComponentDescription()
  (description.componentType, description.componentSubType) = (type, subtype)
  guard let component = AudioComponentFindNext(nil, &description) else {
    fatalError("not registered")
  }
  return component
}

let subclasses = [
  "subclass": Attenuator.codes, "filter": LowPass.codes, "instrument": Whistle.codes,
]
switch CommandLine.arguments.dropFirst().first {
case "checks": for check in Validation.checks { print(check.name) }
case "faults":
  let verdicts = try (0..<faulty_unit_count()).map { index in
    // A hang is one of the faults: a time limit of eight seconds detects it.
    try Validation(timeLimit: 8, only: String(cString: faulty_unit_check(index)))
      .verdict(component(faulty_unit_type(index), faulty_unit_subtype(index)))
  }
  print(String(decoding: try JSONEncoder().encode(verdicts), as: UTF8.self))
case let name? where subclasses[name] != nil:
  let codes = subclasses[name] ?? Attenuator.codes
  let verdict = try Validation(strictness: 10).verdict(
    component(codes.componentType, codes.componentSubType))
  print(String(decoding: try JSONEncoder().encode([verdict]), as: UTF8.self))
default:
  let verdict = try Validation(strictness: 10).verdict(
    component(kAudioUnitType_Effect, 0x6669_6E65))
  print(String(decoding: try JSONEncoder().encode([verdict]), as: UTF8.self))
}
