// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CPlugIns

/// Describes LV2 plug-ins by the text files of their bundles. No code of them runs.
public enum LV2Plugins {
  /// [control thread] The plug-ins of a bundle.
  public static func describe(bundleAt path: String) throws(AudioError) -> [PlugInDescription] {
    try describe(bundlesAt: [path])
  }

  /// [control thread] The plug-ins of several bundles, in one world of lilv: its memory, about 100 MB for
  /// 600 plug-ins, is not returned to the system.
  public static func describe(bundlesAt paths: [String]) throws(AudioError) -> [PlugInDescription] {
    let world = try LilvWorldBox()
    return PlugInCall.control {
      for path in paths { world.load(path) }
      return world.plugIns.map { LV2Describing(world, $0).description }
    }
  }
}

/// Describes one plug-in.
struct LV2Describing {
  private(set) var description: PlugInDescription
  private let world: LilvWorldBox
  private let plugIn: OpaquePointer
  /// The audio and CV ports by their group; the group of a port without one is empty.
  private var ports: [(port: Int, group: String, role: PlugInBus.Role, isInput: Bool)] = []
  private var parameterIDs: Set<UInt32> = []

  /// More ports are a fault.
  private static let highestPortCount = 16_384

  init(_ world: LilvWorldBox, _ plugIn: OpaquePointer) {
    self.world = world
    self.plugIn = plugIn
    let lilv = world.lilv
    let identifier = world.text(lilv.lilv_plugin_get_uri(plugIn)) ?? ""
    let bundle = world.path(world.text(lilv.lilv_plugin_get_bundle_uri(plugIn)))
    description = PlugInDescription(
      .lv2, identifier, path: bundle ?? "",
      name: world.takeText(lilv.lilv_plugin_get_name(plugIn)) ?? identifier,
      maker: world.takeText(lilv.lilv_plugin_get_author_name(plugIn)) ?? "")
    guard lilv.lilv_plugin_verify(plugIn) else {
      description.refusals = ["its text files lack a name, a licence or a port"]
      return
    }
    readClassAndVersion()
    readFeatures()
    let count = Int(lilv.lilv_plugin_get_num_ports(plugIn))
    guard count <= Self.highestPortCount else {
      description.refusals.append("it has \(count) ports")
      return
    }
    for port in 0..<count { read(port: port) }
    description.inputs = buses(isInput: true)
    description.outputs = buses(isInput: false)
    if description.kind == .instrument, !description.acceptsMIDI { description.kind = .effect }
    readPresets()
  }

  private mutating func refuse(_ reason: String) { description.refusals.append(reason) }

  private mutating func readClassAndVersion() {
    let lilv = world.lilv
    let types = world.takeTexts(lilv.lilv_plugin_get_value(plugIn, world.uri(LV2Terms.type)))
    description.features += types
    if types.contains(LV2Terms.core + "InstrumentPlugin") { description.kind = .instrument }
    let uri = lilv.lilv_plugin_get_uri(plugIn)
    func part(_ name: String) -> UInt32 {
      let number = world.number(of: uri, LV2Terms.core + name) ?? 0
      // It may be NaN.
      return number >= 0 ? UInt32(min(number, 255)) : 0
    }
    // The lowest version stands for none.
    description.version = max(part("minorVersion") << 8 | part("microVersion"), 1)
  }

  private mutating func readFeatures() {
    let lilv = world.lilv
    for feature in world.takeTexts(lilv.lilv_plugin_get_required_features(plugIn)) {
      description.features.append(feature)
      if !lv2_has_feature(feature) { refuse("it requires \(feature)") }
    }
    description.features += world.takeTexts(lilv.lilv_plugin_get_optional_features(plugIn))
  }

  // MARK: Ports

  private mutating func read(port index: Int) {
    let lilv = world.lilv
    guard let port = lilv.lilv_plugin_get_port_by_index(plugIn, UInt32(index)) else {
      return refuse("it lacks port \(index)")
    }
    func isA(_ uri: String) -> Bool { lilv.lilv_port_is_a(plugIn, port, world.uri(uri)) }
    let isInput = isA(LV2Terms.core + "InputPort")
    let isOptional = has(port, LV2Terms.core + "connectionOptional")
    guard isInput || isA(LV2Terms.core + "OutputPort") else {
      return refuse("its port \(index) has no direction")
    }
    if isA(LV2Terms.core + "AudioPort") {
      let isSideChain = has(port, LV2Terms.core + "isSideChain")
      ports.append(
        (index, group(of: port), isSideChain ? .sideChain : .sound, isInput))
    } else if isA(LV2Terms.core + "CVPort") {
      ports.append((index, "", .control, isInput))
    } else if isA(LV2Terms.core + "ControlPort") {
      let parameter = parameter(port, index, isInput: isInput)
      if !parameterIDs.insert(parameter.id).inserted {
        refuse("two of its ports have the same symbol")
      }
      description.parameters.append(parameter)
    } else if isA(LV2Terms.atomPort) {
      read(eventPort: port, index, isInput: isInput)
    } else if !isOptional {
      refuse("its port \(index) is of a kind that is not supported")
    }
  }

  private mutating func read(eventPort port: OpaquePointer, _ index: Int, isInput: Bool) {
    let lilv = world.lilv
    let hasMIDI = lilv.lilv_port_supports_event(plugIn, port, world.uri(LV2Terms.midiEvent))
    let size = number(port, "http://lv2plug.in/ns/ext/resize-port#minimumSize") ?? 0
    description.eventPorts.append(
      PlugInEventPort(
        port: index, isInput: isInput, hasMIDI: hasMIDI,
        hasPosition: lilv.lilv_port_supports_event(plugIn, port, world.uri(LV2Terms.position)),
        bytes: size > 0 && size < 0x100_0000 ? Int(size) : 0))
    guard hasMIDI else { return }
    if isInput { description.acceptsMIDI = true } else { description.sendsMIDI = true }
  }

  private func has(_ port: OpaquePointer, _ property: String) -> Bool {
    world.lilv.lilv_port_has_property(plugIn, port, world.uri(property))
  }

  private func number(_ port: OpaquePointer, _ predicate: String) -> Float? {
    let node = world.lilv.lilv_port_get(plugIn, port, world.uri(predicate))
    defer { world.lilv.lilv_node_free(node) }
    return world.number(node)
  }

  private func text(_ port: OpaquePointer, _ predicate: String) -> String? {
    world.takeText(world.lilv.lilv_port_get(plugIn, port, world.uri(predicate)))
  }

  private func group(of port: OpaquePointer) -> String {
    text(port, LV2Terms.groups + "group") ?? ""
  }

  private func parameter(_ port: OpaquePointer, _ index: Int, isInput: Bool) -> PlugInParameter {
    let lilv = world.lilv
    let symbol = world.text(lilv.lilv_port_get_symbol(plugIn, port)) ?? "\(index)"
    var parameter = PlugInParameter(
      PlugInDescription.hash32(symbol.utf8), port: index,
      name: world.takeText(lilv.lilv_port_get_name(plugIn, port)) ?? symbol)
    parameter.symbol = symbol
    parameter.isReadOnly = !isInput
    parameter.purpose = purpose(port, isInput: isInput)
    LV2Range(world, plugIn, port).apply(to: &parameter)
    parameter.isNotForRenders =
      has(port, LV2Terms.properties + "expensive")
      || has(port, LV2Terms.properties + "causesArtifacts")
      || has(port, LV2Terms.properties + "notAutomatic")
    parameter.isHidden = has(port, LV2Terms.properties + "notOnGUI")
    let group = group(of: port)
    if !group.isEmpty { parameter.group = name(ofGroup: group) }
    return parameter
  }

  private func purpose(_ port: OpaquePointer, isInput: Bool) -> PlugInParameter.Purpose {
    let designation = text(port, LV2Terms.core + "designation")
    guard isInput else {
      return designation == LV2Terms.core + "latency"
        || has(port, LV2Terms.core + "reportsLatency") ? .latency : .value
    }
    switch designation {
    case LV2Terms.core + "enabled": return .enabled
    case LV2Terms.core + "freeWheeling": return .offline
    default: return has(port, LV2Terms.properties + "trigger") ? .trigger : .value
    }
  }

  private func name(ofGroup uri: String) -> String {
    let group = world.uri(uri)
    return world.text(of: group, LV2Terms.core + "name") ?? world.text(of: group, LV2Terms.label)
      ?? world.text(of: group, LV2Terms.core + "symbol") ?? uri
  }

  // MARK: Buses

  /// The main bus, then one for each further group, side chain and control signal.
  private func buses(isInput: Bool) -> [PlugInBus] {
    let own = ports.filter { $0.isInput == isInput }
    let sound = own.filter { $0.role == .sound }
    let predicate = LV2Terms.groups + (isInput ? "mainInput" : "mainOutput")
    let mainGroup = world.text(of: world.lilv.lilv_plugin_get_uri(plugIn), predicate)
    var main = sound.filter { $0.group == mainGroup }.map(\.port)
    if main.isEmpty { main = Array(sound.filter { $0.group.isEmpty }.map(\.port).prefix(2)) }
    if main.isEmpty, let first = sound.first {
      main = sound.filter { $0.group == first.group }.map(\.port)
    }
    let direction = isInput ? "Input" : "Output"
    var buses = main.isEmpty ? [] : [PlugInBus("Main \(direction)", main)]
    let rest = own.filter { !main.contains($0.port) }
    let ungrouped = rest.filter { $0.group.isEmpty && $0.role == .sound }.map(\.port)
    if !ungrouped.isEmpty { buses.append(PlugInBus("\(direction) 2", ungrouped)) }
    var known: Set<String> = []
    for port in rest where port.role != .sound || !port.group.isEmpty {
      if port.group.isEmpty {
        buses.append(PlugInBus(name(ofPort: port.port), [port.port], port.role))
      } else if known.insert(port.group).inserted {
        let members = rest.filter { $0.group == port.group }.map(\.port)
        buses.append(PlugInBus(name(ofGroup: port.group), members, port.role))
      }
    }
    return buses
  }

  private func name(ofPort index: Int) -> String {
    let port = world.lilv.lilv_plugin_get_port_by_index(plugIn, UInt32(index))
    return world.takeText(world.lilv.lilv_port_get_name(plugIn, port)) ?? "port \(index)"
  }

  // MARK: Presets

  /// Names and values of the presets, which are in text files of their own.
  private mutating func readPresets() {
    let lilv = world.lilv
    let uris = world.takeTexts(
      lilv.lilv_plugin_get_related(plugIn, world.uri(LV2Terms.presets + "Preset")))
    for uri in uris.sorted() {
      guard let node = world.uri(uri) else { continue }
      _ = lilv.lilv_world_load_resource(world.world, node)
      let name = world.text(of: node, LV2Terms.label) ?? uri
      description.presets.append(PlugInPreset(name, uri, LV2State(world).values(ofPreset: node)))
    }
  }
}
