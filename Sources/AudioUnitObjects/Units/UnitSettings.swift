// SPDX-License-Identifier: Apache-2.0
import CoreAudio
import Foundation

/// What a host sets on a unit: it is stored, and passed to the C unit if there is one.
struct UnitSettings {
  private let unit: AUAudioUnit

  init(_ unit: AUAudioUnit) { self.unit = unit }

  var maximumFrames: AUAudioFrameCount {
    unit.bridge?.value(kAudioUnitProperty_MaximumFramesPerSlice, over: 0 as UInt32)
      ?? unit.host.maximumFrames
  }

  func setMaximumFrames(_ frames: AUAudioFrameCount) {
    guard frames > 0, !unit.renderResourcesAllocated else { return }
    unit.host.maximumFrames = frames
    try? unit.bridge?.set(kAudioUnitProperty_MaximumFramesPerSlice, to: frames)
  }

  var quality: Int {
    unit.bridge?.value(kAudioUnitProperty_RenderQuality, over: 0 as UInt32).map(Int.init)
      ?? unit.host.quality
  }

  func setQuality(_ quality: Int) {
    unit.host.quality = min(max(quality, 0), 127)
    try? unit.bridge?.set(kAudioUnitProperty_RenderQuality, to: UInt32(unit.host.quality))
  }

  func bypass(_ isOn: Bool) {
    unit.host.bypasses = isOn
    try? unit.bridge?.set(kAudioUnitProperty_BypassEffect, toFlag: isOn)
    unit.propertyChanged(kAudioUnitProperty_BypassEffect)
  }

  func setOffline(_ isOffline: Bool) {
    unit.host.isOffline = isOffline
    try? unit.bridge?.set(kAudioUnitProperty_OfflineRender, toFlag: isOffline)
  }

  func setContextName(_ name: String?) {
    unit.host.contextName = name
    try? unit.bridge?.set(kAudioUnitProperty_ContextName, toObject: (name ?? "") as NSString)
    unit.propertyChanged(kAudioUnitProperty_ContextName)
  }

  func setHost(
    _ musicalContext: AUHostMusicalContextBlock?, _ transportState: AUHostTransportStateBlock?
  ) {
    unit.host.musicalContext = musicalContext
    unit.host.transportState = transportState
    unit.bridge?.setHost(musicalContext, transportState)
  }
}
