// SPDX-License-Identifier: Apache-2.0
// Validates the units of CFaultyUnit, each in a process of its own, and prints what is found as JSON:
//   FaultyUnits fine       the unit without a fault, at the strictest level
//   FaultyUnits faults     for each check the unit whose fault it is for, by that check alone
//   FaultyUnits checks     the names of all checks, a line each
import AudioToolbox
import CFaultyUnit
import UnitValidation

faulty_units_register()
ValidationWorker.runIfStarted()

func component(_ type: UInt32, _ subtype: UInt32) -> AudioComponent {
  var wanted = AudioComponentDescription()
  (wanted.componentType, wanted.componentSubType) = (type, subtype)
  guard let component = AudioComponentFindNext(nil, &wanted) else { fatalError("not registered") }
  return component
}

switch CommandLine.arguments.dropFirst().first {
case "checks": for check in Validation.checks { print(check.name) }
case "faults":
  let verdicts = try (0..<faulty_unit_count()).map { index in
    // A hang is one of the faults: eight seconds show it.
    try Validation(timeLimit: 8, only: String(cString: faulty_unit_check(index)))
      .verdict(component(faulty_unit_type(index), faulty_unit_subtype(index)))
  }
  print(String(decoding: try JSONEncoder().encode(verdicts), as: UTF8.self))
default:
  let verdict = try Validation(strictness: 10).verdict(
    component(kAudioUnitType_Effect, 0x6669_6E65))
  print(String(decoding: try JSONEncoder().encode([verdict]), as: UTF8.self))
}
