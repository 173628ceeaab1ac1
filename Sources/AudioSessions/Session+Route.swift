// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CoreAudio

// The current inputs and outputs, and the program's choice of them.
extension Session {
  /// The device of a direction, whether the category uses it or not.
  func device(isInput: Bool) -> SessionDevice? {
    guard let device = inEnvironment({ SessionDevice.standard(isInput: isInput) }) else {
      return nil
    }
    // The silent device does not replace those of a server, because these may come back.
    let isReal = device.backend != NullBackend.name
    return isReal || withState({ $0.lostServer == nil && $0.server == nil }) ? device : nil
  }

  /// The device of a direction; nil when the category does not use the direction.
  func routed(isInput: Bool) -> SessionDevice? {
    let category = setup.category
    guard isInput ? category.usesInput : category.usesOutput else { return nil }
    return device(isInput: isInput)
  }

  /// The current outputs and inputs.
  package var route: SessionRoute {
    inEnvironment {
      SessionRoute(
        inputs: routed(isInput: true).map { [SessionPort($0)] } ?? [],
        outputs: routed(isInput: false).map { [SessionPort($0)] } ?? [])
    }
  }

  /// Whether any input exists, whatever the category.
  package var isInputAvailable: Bool { device(isInput: true) != nil }

  /// The available inputs, the current one first; nil when the category has no input.
  package var availableInputs: [SessionPort]? {
    guard setup.category.usesInput else { return nil }
    return inEnvironment {
      guard let current = device(isInput: true) else { return [] }
      let others = SessionDevice.all(isInput: true).filter {
        $0.id != current.id && $0.backend == current.backend && !$0.isMonitor
      }
      return ([current] + others).map(SessionPort.init)
    }
  }

  /// The input that the program has chosen, if it is present.
  package var preferredInput: SessionPort? {
    guard let uid = preferences.inputUID else { return nil }
    return availableInputs?.first { $0.uid == uid }
  }

  /// Sets the device, by its UID, from which units capture from their next start; nil: the default
  /// device.
  package func prefer(inputUID: String?) throws(AudioError) {
    if let inputUID {
      let inputs = availableInputs ?? []
      guard inputs.contains(where: { $0.uid == inputUID }) else {
        let names = inputs.map(\.uid).joined(separator: ", ")
        throw .invalidArgument.because(
          "there is no input \"\(inputUID)\"; "
            + (inputs.isEmpty ? "there is none" : "there are \(names)"))
      }
    }
    withState { state in
      state.preferences.inputUID = inputUID
      state.ownChanges.append((.override, state.setup))
    }
    devicePreferences.set { $0.inputUID = inputUID }
    checkSoon()
  }

  /// Sets whether units play to a built-in loudspeaker, if there is one, from their next start;
  /// false: to the default device.
  package func overrideOutput(_ overrides: Bool) throws(AudioError) {
    let category = setup.category
    guard !overrides || SessionSetup.overridable.contains(category) else {
      throw .invalidArgument.because(
        "the output can be overridden in PlayAndRecord; the category is \(category.shortName)")
    }
    var speaker: String?
    if overrides {
      speaker = inEnvironment {
        let current = device(isInput: false)?.backend
        return SessionDevice.all(isInput: false).filter { $0.backend == current }
          .map(SessionPort.init).first { $0.type == .builtInSpeaker }?.uid
      }
    }
    withState { state in
      state.preferences.overridesOutput = overrides
      state.ownChanges.append((.override, state.setup))
    }
    devicePreferences.set { $0.outputUID = speaker }
    checkSoon()
  }

  /// Switches the device of a UID to one of its sources.
  package func choose(source: UInt32, ofPort uid: String, isInput: Bool) throws(AudioError) {
    let found = inEnvironment {
      SessionDevice.all(isInput: isInput).first { $0.uid == uid }
    }
    guard let device = found else {
      throw .resourceNotAvailable.because("there is no port \"\(uid)\"")
    }
    guard device.sources.contains(source), device.setSource(source) == noErr else {
      let names = device.sources.map { "\($0) \(device.sourceName($0))" }
      throw .invalidArgument.because(
        "\(uid) has no data source \(source); it has \(names.joined(separator: ", "))")
    }
    withState { state in state.ownChanges.append((.routeConfigurationChange, state.setup)) }
    checkSoon()
  }
}
