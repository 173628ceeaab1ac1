// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

// The members of AVAudio3DMixing are the same for every node that is a source, and for one of its
// destinations.

extension AVAudio3DMixing where Self: AVAudioNode {
  /// How the source is placed.
  public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
    get { mixingValues.spatial.algorithm }
    set { setMixing(\.spatial.algorithm, to: newValue) }
  }

  /// Whether the source is placed.
  public var sourceMode: AVAudio3DMixingSourceMode {
    get { mixingValues.spatial.mode }
    set { setMixing(\.spatial.mode, to: newValue) }
  }

  /// What becomes of the source inside the head.
  public var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
    get { mixingValues.spatial.inHeadMode }
    set { setMixing(\.spatial.inHeadMode, to: newValue) }
  }

  /// The speed and pitch of the source.
  public var rate: Float {
    get { mixingValues.spatial.rate }
    set { setMixing(\.spatial.rate, toNumber: newValue) }
  }

  /// How much of the source goes to the reverberation.
  public var reverbBlend: Float {
    get { mixingValues.spatial.reverbBlend }
    set { setMixing(\.spatial.reverbBlend, toNumber: newValue) }
  }

  /// The attenuation of the direct sound by an obstacle.
  public var obstruction: Float {
    get { mixingValues.spatial.obstruction }
    set { setMixing(\.spatial.obstruction, toNumber: newValue) }
  }

  /// The attenuation of all sound by a wall.
  public var occlusion: Float {
    get { mixingValues.spatial.occlusion }
    set { setMixing(\.spatial.occlusion, toNumber: newValue) }
  }

  /// Where the source is.
  public var position: AVAudio3DPoint {
    get { mixingPosition }
    set { setPosition(newValue) }
  }
}

extension AVAudioMixingDestination {
  /// How the source at this input is placed.
  public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
    get { mixingValues.spatial.algorithm }
    set { setMixing(\.spatial.algorithm, to: newValue) }
  }

  /// Whether the source at this input is placed.
  public var sourceMode: AVAudio3DMixingSourceMode {
    get { mixingValues.spatial.mode }
    set { setMixing(\.spatial.mode, to: newValue) }
  }

  /// What becomes of the source at this input inside the head.
  public var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
    get { mixingValues.spatial.inHeadMode }
    set { setMixing(\.spatial.inHeadMode, to: newValue) }
  }

  /// The speed and pitch of the source at this input.
  public var rate: Float {
    get { mixingValues.spatial.rate }
    set { setMixing(\.spatial.rate, toNumber: newValue) }
  }

  /// How much of the source at this input goes to the reverberation.
  public var reverbBlend: Float {
    get { mixingValues.spatial.reverbBlend }
    set { setMixing(\.spatial.reverbBlend, toNumber: newValue) }
  }

  /// The attenuation of the direct sound by an obstacle.
  public var obstruction: Float {
    get { mixingValues.spatial.obstruction }
    set { setMixing(\.spatial.obstruction, toNumber: newValue) }
  }

  /// The attenuation of all sound by a wall.
  public var occlusion: Float {
    get { mixingValues.spatial.occlusion }
    set { setMixing(\.spatial.occlusion, toNumber: newValue) }
  }

  /// Where the source at this input is.
  public var position: AVAudio3DPoint {
    get { mixingPosition }
    set { setPosition(newValue) }
  }
}
