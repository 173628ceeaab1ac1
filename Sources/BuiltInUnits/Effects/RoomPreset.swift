// SPDX-License-Identifier: Apache-2.0

/// The rooms of the reverberation units, numbered like their factory presets.
enum RoomPreset: Int32, CaseIterable {
  case smallRoom, mediumRoom, largeRoom, mediumHall, largeHall, plate, mediumChamber, largeChamber
  case cathedral, largeRoom2, mediumHall2, mediumHall3, largeHall2

  /// The name that hosts show.
  var name: String {
    switch self {
    case .smallRoom: "Small Room"
    case .mediumRoom: "Medium Room"
    case .largeRoom: "Large Room"
    case .mediumHall: "Medium Hall"
    case .largeHall: "Large Hall"
    case .plate: "Plate"
    case .mediumChamber: "Medium Chamber"
    case .largeChamber: "Large Chamber"
    case .cathedral: "Cathedral"
    case .largeRoom2: "Large Room 2"
    case .mediumHall2: "Medium Hall 2"
    case .mediumHall3: "Medium Hall 3"
    case .largeHall2: "Large Hall 2"
    }
  }
}

extension RoomPreset {
  /// The parameters of a room for `Reverb2`: its mix in percent, its times in seconds.
  struct Reverb2Values {
    var mix: Float
    var shortest: Float
    var longest: Float
    var lowDecay: Float
    var highDecay: Float
  }

  var reverb2: Reverb2Values {
    switch self {
    case .smallRoom:
      .init(mix: 30, shortest: 0.003, longest: 0.016, lowDecay: 0.45, highDecay: 0.28)
    case .mediumRoom:
      .init(mix: 32, shortest: 0.005, longest: 0.026, lowDecay: 0.75, highDecay: 0.42)
    case .largeRoom:
      .init(mix: 34, shortest: 0.008, longest: 0.04, lowDecay: 1.15, highDecay: 0.6)
    case .mediumHall:
      .init(mix: 36, shortest: 0.012, longest: 0.068, lowDecay: 1.7, highDecay: 0.75)
    case .largeHall:
      .init(mix: 38, shortest: 0.018, longest: 0.095, lowDecay: 2.6, highDecay: 0.95)
    case .plate:
      .init(mix: 34, shortest: 0.004, longest: 0.047, lowDecay: 1.9, highDecay: 1.4)
    case .mediumChamber:
      .init(mix: 34, shortest: 0.006, longest: 0.038, lowDecay: 1.3, highDecay: 0.9)
    case .largeChamber:
      .init(mix: 36, shortest: 0.009, longest: 0.057, lowDecay: 2, highDecay: 1.2)
    case .cathedral:
      .init(mix: 42, shortest: 0.025, longest: 0.14, lowDecay: 5.5, highDecay: 1.3)
    case .largeRoom2:
      .init(mix: 34, shortest: 0.007, longest: 0.046, lowDecay: 1.4, highDecay: 0.5)
    case .mediumHall2:
      .init(mix: 36, shortest: 0.014, longest: 0.074, lowDecay: 1.9, highDecay: 0.6)
    case .mediumHall3:
      .init(mix: 36, shortest: 0.01, longest: 0.062, lowDecay: 1.5, highDecay: 1)
    case .largeHall2:
      .init(mix: 40, shortest: 0.02, longest: 0.11, lowDecay: 3.4, highDecay: 1.1)
    }
  }
}

extension RoomPreset {
  /// The parameters of a room for `MatrixReverb`: its mixes in percent, its times in seconds.
  struct MatrixReverbValues {
    var mix: Float
    var smallLargeMix: Float
    var smallSize: Float
    var largeSize: Float
    var preDelay: Float
    var largeDelay: Float
    var largeBrightness: Float
  }

  /// The room for `MatrixReverb`; its decay time and brightness are those of `reverb2`.
  var matrixReverb: MatrixReverbValues {
    let room = reverb2
    let (large, small, delay): (Float, Float, Float) =
      switch self {
      case .smallRoom: (30, 0.006, 0.004)
      case .mediumRoom: (38, 0.008, 0.007)
      case .largeRoom, .largeRoom2: (46, 0.011, 0.012)
      case .mediumHall, .mediumHall2, .mediumHall3: (58, 0.014, 0.022)
      case .largeHall, .largeHall2: (66, 0.018, 0.034)
      case .plate: (50, 0.005, 0.001)
      case .mediumChamber: (52, 0.009, 0.006)
      case .largeChamber: (58, 0.012, 0.01)
      case .cathedral: (76, 0.02, 0.06)
      }
    return MatrixReverbValues(
      mix: room.mix, smallLargeMix: large, smallSize: small,
      largeSize: min(max(room.lowDecay, 0.4), 10), preDelay: min(max(delay / 2, 0.001), 0.03),
      largeDelay: delay, largeBrightness: min(max(room.highDecay / room.lowDecay, 0.1), 1))
  }
}
