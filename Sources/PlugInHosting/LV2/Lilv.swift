// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns

/// A world of lilv: what the text files of some bundles say. Used by one thread at a time.
final class LilvWorldBox: @unchecked Sendable {
  let lilv: LilvTable
  let world: OpaquePointer
  /// Nodes of URIs that were asked for; they live as long as the world.
  private var nodes: [String: OpaquePointer] = [:]

  /// [control thread] A world without bundles.
  /// - Throws: `unimplemented` if lilv, or the support for LV2 in this build, is missing.
  init() throws(AudioError) {
    guard lv2_is_built() else {
      throw .unimplemented.because("this build has no LV2: it was made without package lv2-dev")
    }
    guard let table = lilv_open() else {
      throw .unimplemented.because("no LV2: " + String(cString: lilv_reason()))
    }
    lilv = table.pointee
    guard let made = lilv.lilv_world_new() else { throw .outOfMemory }
    world = made
  }

  deinit {
    for node in nodes.values { lilv.lilv_node_free(node) }
    lilv.lilv_world_free(world)
  }

  /// Reads the bundle in a folder, of which a plug-in may be part.
  func load(_ folder: String) {
    let path = folder.hasSuffix("/") ? folder : folder + "/"
    guard let bundle = lilv.lilv_new_file_uri(world, nil, path) else { return }
    lilv.lilv_world_load_bundle(world, bundle)
    lilv.lilv_node_free(bundle)
  }

  /// The node of a URI.
  func uri(_ text: String) -> OpaquePointer? {
    if let known = nodes[text] { return known }
    guard let node = lilv.lilv_new_uri(world, text) else { return nil }
    nodes[text] = node
    return node
  }

  /// The text of a node.
  func text(_ node: OpaquePointer?) -> String? {
    node.flatMap { lilv.lilv_node_as_string($0) }.map { String(cString: $0) }
  }

  /// The text of a node that the caller owns, which is freed.
  func takeText(_ node: OpaquePointer?) -> String? {
    defer { lilv.lilv_node_free(node) }
    return text(node)
  }

  /// A number or truth; nil if it is neither.
  func number(_ node: OpaquePointer?) -> Float? {
    guard let node else { return nil }
    if lilv.lilv_node_is_float(node) || lilv.lilv_node_is_int(node) {
      return lilv.lilv_node_as_float(node)
    }
    return lilv.lilv_node_is_bool(node) ? (lilv.lilv_node_as_bool(node) ? 1 : 0) : nil
  }

  /// The texts of nodes that the caller owns, which are freed.
  func takeTexts(_ list: UnsafeMutableRawPointer?) -> [String] {
    guard let list else { return [] }
    defer { lilv.lilv_nodes_free(list) }
    var texts: [String] = []
    var position = lilv.lilv_nodes_begin(list)
    while !lilv.lilv_nodes_is_end(list, position) {
      if let text = text(lilv.lilv_nodes_get(list, position)) { texts.append(text) }
      position = lilv.lilv_nodes_next(list, position)
    }
    return texts
  }

  /// The text, or the number, that a subject has for a predicate.
  func text(of subject: OpaquePointer?, _ predicate: String) -> String? {
    takeText(lilv.lilv_world_get(world, subject, uri(predicate), nil))
  }
  func number(of subject: OpaquePointer?, _ predicate: String) -> Float? {
    let node = lilv.lilv_world_get(world, subject, uri(predicate), nil)
    defer { lilv.lilv_node_free(node) }
    return number(node)
  }

  /// All plug-ins of the loaded bundles.
  var plugIns: [OpaquePointer] {
    guard let list = lilv.lilv_world_get_all_plugins(world) else { return [] }
    var found: [OpaquePointer] = []
    var position = lilv.lilv_plugins_begin(list)
    while !lilv.lilv_plugins_is_end(list, position) {
      if let plugIn = lilv.lilv_plugins_get(list, position) { found.append(plugIn) }
      position = lilv.lilv_plugins_next(list, position)
    }
    return found
  }

  /// The plug-in with a URI.
  func plugIn(_ identifier: String) -> OpaquePointer? {
    lilv.lilv_plugins_get_by_uri(lilv.lilv_world_get_all_plugins(world), uri(identifier))
  }

  /// The path of a URI of a file.
  func path(_ uri: String?) -> String? {
    guard let uri, let path = lilv.lilv_file_uri_parse(uri, nil) else { return nil }
    defer { lilv.lilv_free(path) }
    return String(cString: path)
  }
}
