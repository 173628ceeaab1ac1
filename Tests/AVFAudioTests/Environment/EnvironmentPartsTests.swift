// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@testable import AVFAudio

@Suite("Parts of AVAudioEnvironmentNode")
struct EnvironmentPartsTests {
  @Test(
    "a point is to the right, above, behind",
    arguments: [
      (SIMD3<Float>(2, 0, 0), 90, 0, 2), (SIMD3(0, 3, 0), 0, 90, 3), (SIMD3(0, 0, -1), 0, 0, 1),
      (SIMD3(-1, 0, 0), -90, 0, 1), (SIMD3(1, 0, 1), 135, 0, 1.414_214),
    ] as [(SIMD3<Float>, Float, Float, Float)])
  func directions(point: SIMD3<Float>, azimuth: Float, elevation: Float, distance: Float) {
    let place = Listener().direction(of: point)
    #expect(abs(place.azimuth - azimuth) < 1e-3 && abs(place.elevation - elevation) < 1e-3)
    #expect(abs(place.distance - distance) < 1e-5)
  }

  @Test("a point at the listener, and one at infinity, are numbers")
  func extremes() {
    #expect(Listener().direction(of: .zero) == (0, 0, 0))
    let far = Listener().direction(of: SIMD3(3e38, 3e38, -3e38))
    #expect(far.azimuth.isFinite && far.elevation.isFinite && far.distance == 10_000)
  }

  private func turn(_ listener: inout Listener, _ yaw: Float, _ pitch: Float, _ roll: Float) {
    let isTurned = listener.turn(yaw: yaw, pitch: pitch, roll: roll)
    #expect(isTurned)
  }

  @Test("what was in front is to the left of a listener who turns to the right")
  func turning() {
    var listener = Listener()
    turn(&listener, 90, 0, 0)
    #expect(abs(listener.direction(of: SIMD3(0, 0, -1)).azimuth + 90) < 1e-3)
    #expect(abs(listener.direction(of: SIMD3(1, 0, 0)).azimuth) < 1e-3)
    turn(&listener, 0, 90, 0)
    #expect(abs(listener.direction(of: SIMD3(0, 1, 0)).elevation) < 1e-3)
    turn(&listener, 0, 0, 90)
    #expect(abs(listener.direction(of: SIMD3(1, 0, 0)).elevation - 90) < 1e-3)
  }

  @Test("angles are what was set", arguments: [-170, -60, 0, 30, 120], [-80, 0, 45])
  func angles(yaw: Float, pitch: Float) {
    for roll in [-90, 0, 10] as [Float] {
      var listener = Listener()
      turn(&listener, yaw, pitch, roll)
      let angles = listener.angles
      #expect(abs(angles.yaw - yaw) < 0.01 && abs(angles.pitch - pitch) < 0.01)
      #expect(abs(angles.roll - roll) < 0.01)
    }
  }

  @Test("a listener who looks straight up has the yaw of the feet")
  func lookingUp() {
    var listener = Listener()
    turn(&listener, 40, 90, 0)
    #expect(abs(listener.angles.yaw - 40) < 0.1 && abs(listener.angles.pitch - 90) < 0.1)
  }

  @Test(
    "vectors without a direction change nothing",
    arguments: [
      (SIMD3<Float>.zero, SIMD3<Float>(0, 1, 0)), (SIMD3(0, 1, 0), SIMD3(0, 2, 0)),
      (SIMD3(.nan, 0, 1), SIMD3(0, 1, 0)), (SIMD3(0, 0, -1), SIMD3(0, .infinity, 0)),
    ])
  func noOrientation(front: SIMD3<Float>, top: SIMD3<Float>) {
    var listener = Listener()
    let isTurned = listener.turn(front: front, top: top)
    #expect(!isTurned)
    #expect(abs(listener.direction(of: SIMD3(1, 0, 0)).azimuth - 90) < 1e-3)
  }

  /// The gain of the mixer's curve at a distance.
  private func gain(_ law: DistanceLaw, _ distance: Double) -> Double {
    let (curve, parameters) = law.settings
    let (near, far) = (Double(parameters.mReferenceDistance), Double(parameters.mMaxDistance))
    let place = min(max(distance, near), far)
    let least = pow(10, -Double(parameters.mMaxAttenuation) / 20)
    let part = (place - near) / (far - near)
    switch curve {
    case .spatialMixerAttenuationCurve_Power:
      return pow(10, -Double(parameters.mMaxAttenuation) / 20 * log(place / near) / log(far / near))
    case .spatialMixerAttenuationCurve_Inverse: return 1 / (1 + (1 / least - 1) * part)
    default: return 1 - (1 - least) * part
    }
  }

  @Test(
    "the curve of the mixer is the law",
    arguments: [
      DistanceLaw(), DistanceLaw(model: .exponential), DistanceLaw(model: .linear),
      DistanceLaw(model: .linear, reference: 2, maximum: 50, rolloff: 0.7),
      DistanceLaw(model: .linear, reference: 2, maximum: 50, rolloff: 3),
      DistanceLaw(model: .exponential, reference: 0.5, rolloff: 8),
      DistanceLaw(model: .inverse, reference: 0.01, rolloff: 100),
      DistanceLaw(model: .inverse, rolloff: 0), DistanceLaw(model: .exponential, rolloff: 0),
      DistanceLaw(model: .linear, reference: 5, maximum: 5),
    ])
  func laws(law: DistanceLaw) {
    for distance in [0.001, 0.3, 0.9, 1, 1.5, 2, 3.7, 10, 30, 49, 51, 200, 1_000, 9_999] {
      #expect(abs(gain(law, distance) - law.gain(at: distance)) < 2e-3)
    }
  }

  @Test("extreme laws have settings that are numbers")
  func extremeLaws() {
    for model in [AVAudioEnvironmentDistanceAttenuationModel.exponential, .inverse, .linear] {
      for number in [0, 1e-30, 1e-3, 1e4, 1e30] as [Float] {
        for rolloff in [0, 1e-30, 1, 1e30] as [Float] {
          let (_, parameters) = DistanceLaw(
            model: model, reference: number, maximum: 1, rolloff: rolloff
          ).settings
          #expect((0.001...10_000).contains(parameters.mReferenceDistance))
          #expect((0.001...10_000).contains(parameters.mMaxDistance))
          #expect((0...200).contains(parameters.mMaxAttenuation))
        }
      }
    }
  }
}
