// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import Foundation

/// What an object makes when it is first asked for: its render block, and for a C unit the buses and
/// the tree.
final class BridgedParts: @unchecked Sendable {  // guarded by the lock
  private let lock = Lock()
  private var block: StoredRenderBlock?
  private var arrays: [AUAudioUnitBusType: AUAudioUnitBusArray] = [:]
  private var parameters: UnitParameterTree?

  /// The block that renders.
  func renderBlock(_ renderer: UnitRenderer, _ bridge: BridgedUnit?) -> AURenderBlock {
    let stored = lock.withLock { () -> StoredRenderBlock in
      if let block { return block }
      // The block keeps the C unit too.
      let made: AURenderBlock = { flags, time, frames, bus, data, pull in
        withExtendedLifetime(bridge) {
          border {
            withUnsafePointer(to: StoredPullBlock(call: pull)) {
              renderer.render(flags, time, frames, bus, data, $0)
            }
          }
        }
      }
      let stored = StoredRenderBlock(call: made)
      block = stored
      return stored
    }
    return stored.call
  }

  /// The inputs or the outputs; none for a subclass that does not override them.
  func buses(_ unit: AUAudioUnit, _ type: AUAudioUnitBusType) -> AUAudioUnitBusArray {
    lock.withLock {
      if let array = arrays[type] { return array }
      let array: AUAudioUnitBusArray
      if let bridge = unit.bridge {
        array = AUAudioUnitBusArray(unit, type, bridge.busSource(type))
      } else {
        array = AUAudioUnitBusArray(audioUnit: unit, busType: type)
      }
      arrays[type] = array
      return array
    }
  }

  /// The parameters of a C unit: those of its object, if it has one; otherwise those that it has now.
  func tree(_ bridge: BridgedUnit?) -> AUParameterTree? {
    guard let bridge else { return nil }
    if let object = bridge.object { return object.parameterTree }
    return lock.withLock {
      // First, so that no change is missed.
      bridge.watch.followParameters(of: bridge.handle)
      let hasChanged = bridge.watch.takeParameterChange()
      if let parameters {
        if hasChanged { parameters.update() }
        return parameters
      }
      parameters = UnitParameterTree(of: bridge.handle)
      return parameters
    }
  }
}

/// A C unit that renders an object.
protocol ObjectHost {
  var object: AUAudioUnit { get }
}

extension BridgedUnit {
  /// The object that renders in the unit, if it is one of a subclass.
  var object: AUAudioUnit? { UnitInstance.use(handle) { ($0 as? any ObjectHost)?.object } }

  /// Lets the unit ask a host for its tempo and its transport.
  func setHost(
    _ musicalContext: AUHostMusicalContextBlock?, _ transportState: AUHostTransportStateBlock?
  ) {
    guard let object else { return setHostBlocks(musicalContext, transportState) }
    object.musicalContextBlock = musicalContext
    object.transportStateBlock = transportState
  }
}

extension AUAudioUnitBusType {
  var scope: AudioUnitScope {
    self == .input ? kAudioUnitScope_Input : kAudioUnitScope_Output
  }
}
