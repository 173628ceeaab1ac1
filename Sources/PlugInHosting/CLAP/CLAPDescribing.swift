// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CPlugIns

/// Describes a CLAP plug-in, with an instance that is made for that.
struct CLAPDescribing {
  private(set) var description: PlugInDescription

  /// More ports, channels or parameters are a fault.
  private static let most = (ports: 64, channels: 256, parameters: 16_384)

  /// [main thread of plug-ins] Describes a plug-in of a library; nil: it has no identifier.
  init?(_ index: UInt32, _ descriptor: UnsafePointer<CLAPDescriptor>, in library: CLAPLibrary) {
    guard let id = CLAPText.of(descriptor.pointee.id) else { return nil }
    description = PlugInDescription(
      .clap, id, path: library.path, name: CLAPText.of(descriptor.pointee.name) ?? id,
      maker: CLAPText.of(descriptor.pointee.vendor) ?? "")
    description.version = Self.version(CLAPText.of(descriptor.pointee.plug_in_version) ?? "")
    description.ownCodes = library.ownCodes(index)
    var feature = descriptor.pointee.features
    while let word = feature?.pointee, description.features.count < 64 {
      if let word = CLAPText.of(word) { description.features.append(word) }
      feature = feature?.advanced(by: 1)
    }
    if description.features.contains("instrument") { description.kind = .instrument }
    if descriptor.pointee.version.major < 1 {
      refuse("it is of an unknown version of CLAP")
    } else {
      readInstance(of: library)
    }
  }

  /// Nothing but a name; `read` adds the rest.
  init(_ description: PlugInDescription) { self.description = description }

  private mutating func readInstance(of library: CLAPLibrary) {
    let requests = PlugInRequests()
    let made = clap_make(
      library.factory, description.identifier, requests.address, PlugInThread.shared.wake)
    guard let instance = made else { return refuse("it makes no instance") }
    defer { withExtendedLifetime(requests) { clap_free(instance) } }
    read(instance)
  }

  private mutating func refuse(_ reason: String) { description.refusals.append(reason) }

  /// "1.2.3": major, minor and patch.
  private static func version(_ text: String) -> UInt32 {
    let parts = text.split(separator: ".").prefix(3).map { UInt32($0.prefix { $0.isNumber }) ?? 0 }
    let all = parts + [0, 0, 0]
    let version = min(all[0], 0xFFFF) << 16 | min(all[1], 0xFF) << 8 | min(all[2], 0xFF)
    return version == 0 ? 0x0001_0000 : version
  }

  /// Adds ports and parameters of an instance.
  mutating func read(_ instance: OpaquePointer) {
    description.inputs = buses(instance, isInput: true)
    description.outputs = buses(instance, isInput: false)
    var notes = CLAPNotePortInfo()
    description.acceptsMIDI = clap_note_port(instance, true, &notes)
    description.sendsMIDI = clap_note_port(instance, false, &notes)
    if clap_has(instance, CLAP_TAIL) { description.features.append(CLAPTerms.tail) }
    if clap_has(instance, CLAP_RENDER) { description.features.append(CLAPTerms.render) }
    let count = Int(clap_parameter_count(instance))
    guard count <= Self.most.parameters else { return refuse("it has \(count) parameters") }
    var ids: Set<UInt32> = []
    for index in 0..<count {
      guard let parameter = CLAPParameter(instance, index).description else {
        return refuse("it does not describe its parameter \(index)")
      }
      guard ids.insert(parameter.id).inserted else {
        return refuse("two of its parameters are number \(parameter.id)")
      }
      description.parameters.append(parameter)
    }
  }

  private mutating func buses(_ instance: OpaquePointer, isInput: Bool) -> [PlugInBus] {
    let count = Int(clap_port_count(instance, isInput))
    guard count <= Self.most.ports else {
      refuse("it has \(count) ports")
      return []
    }
    var buses: [PlugInBus] = []
    for index in 0..<count {
      var info = CLAPAudioPortInfo()
      guard clap_port(instance, UInt32(index), isInput, &info) else {
        refuse("it does not describe its port \(index)")
        return []
      }
      guard info.channel_count <= Self.most.channels else {
        refuse("its port \(index) has \(info.channel_count) channels")
        return []
      }
      // A port without channels is no bus.
      guard info.channel_count > 0 else { continue }
      let isMain = info.flags & UInt32(CLAPAudioPortIsMain.rawValue) != 0 || index == 0
      buses.append(
        PlugInBus(
          CLAPText.of(array: info.name) ?? (isInput ? "Input" : "Output"),
          Array(0..<Int(info.channel_count)),
          isInput && !isMain ? .sideChain : .sound))
    }
    return buses
  }
}

/// Words among the features of a CLAP plug-in that say which tables of functions it has.
enum CLAPTerms {
  static let tail = CLAP_TAIL
  static let render = CLAP_RENDER
}

extension CLAPLibrary {
  /// [control thread] Describes its plug-ins, or only the one with an identifier, with its presets, which may be in
  /// many files. Each makes an instance for that.
  func describe(_ identifier: String? = nil) -> [PlugInDescription] {
    CLAPCall.control {
      descriptors.compactMap { index, descriptor in
        if let identifier, CLAPText.of(descriptor.pointee.id) != identifier { return nil }
        var description = CLAPDescribing(index, descriptor, in: self)?.description
        if let identifier { description?.presets = presets(of: identifier) }
        return description
      }
    }
  }
}
