// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// What has mixing values: nodes, and their destinations.
protocol MixingOwner: AnyObject {
  var mixingValues: MixingValues { get }
  func setMixing<Value>(_ value: WritableKeyPath<MixingValues, Value>, to new: Value)
}

extension MixingOwner {
  /// Changes a number, unless it is not finite.
  func setMixing(_ value: WritableKeyPath<MixingValues, Float>, toNumber new: Float) {
    if new.isFinite { setMixing(value, to: new) }
  }

  /// Changes the position, unless a coordinate is not finite.
  func setPosition(_ new: AVAudio3DPoint) {
    guard new.x.isFinite, new.y.isFinite, new.z.isFinite else { return }
    setMixing(\.spatial.position, to: SIMD3(new.x, new.y, new.z))
  }

  /// The position.
  var mixingPosition: AVAudio3DPoint {
    let position = mixingValues.spatial.position
    return AVAudio3DPoint(x: position.x, y: position.y, z: position.z)
  }
}

extension AVAudioNode: MixingOwner {
  var mixingValues: MixingValues { mixing.values }
  func setMixing<Value>(_ value: WritableKeyPath<MixingValues, Value>, to new: Value) {
    mixing.set(value, to: new)
  }
}

extension AVAudioMixingDestination: MixingOwner {
  var mixingValues: MixingValues { values }
  func setMixing<Value>(_ value: WritableKeyPath<MixingValues, Value>, to new: Value) {
    source.set(value, to: new, at: target)
  }
}
