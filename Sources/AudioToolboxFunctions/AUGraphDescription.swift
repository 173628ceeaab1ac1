// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio
public import Foundation
import GraphDescription
import ProcessingGraph

// The functions of AUGraphDescription.h.

@_cdecl("AUGraphCopyDescription")
public func _AUGraphCopyDescription(
  _ inGraph: AUGraph, _ outDescription: UnsafeMutablePointer<UnsafeRawPointer?>
) -> OSStatus {
  status(graph: inGraph, in: "AUGraphCopyDescription") { graph throws(AudioError) in
    guard !isNull(outDescription) else { throw .null("outDescription") }
    outDescription.pointee = nil
    let description = try GraphDescription(graph)
    outDescription.pointee = Bridge.current.retainedString(description.json)
  }
}

@_cdecl("AUGraphNewFromDescription")
public func _AUGraphNewFromDescription(
  _ inDescription: UnsafeRawPointer, _ outGraph: UnsafeMutablePointer<AUGraph?>
) -> OSStatus {
  Library.start()
  return status(in: "AUGraphNewFromDescription") { () throws(AudioError) in
    guard !isNull(outGraph) else { throw .null("outGraph") }
    outGraph.pointee = nil
    guard !isNull(inDescription) else { throw .null("inDescription") }
    guard let text = Bridge.current.string(inDescription) else {
      throw .invalidArgument.because("inDescription is not a CFString")
    }
    outGraph.pointee = try graph(describedBy: text)
  }
}

/// The open graph that a text describes.
private func graph(describedBy text: String) throws(AudioError) -> AUGraph? {
  let description: GraphDescription
  do throws(GraphDescriptionError) { description = try GraphDescription(json: text) } catch {
    throw .invalidArgument.because(error.text)
  }
  do throws(GraphDescriptionFailure) { return try description.build().handle } catch {
    throw AudioError(status: error.status).because(error.error.text)
  }
}

/// The description of an open graph as JSON, for `AUGraphNewFromDescription` and `au graph`; the
/// caller releases the string. [control thread]
///
/// A unit is described by its codes and by everything that differs from a new unit: elements,
/// formats, the preset, parameters, and the properties that `docs/graph.schema.json` lists,
/// including the gains of matrix mixers. A unit's nickname becomes its node's name. Render
/// callbacks are omitted; a graph with a sub-graph is refused.
public func AUGraphCopyDescription(
  _ inGraph: AUGraph, _ outDescription: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
  guard !isNull(outDescription) else {
    return status(in: "AUGraphCopyDescription") { () throws(AudioError) in
      throw .null("outDescription")
    }
  }
  var text: UnsafeRawPointer?
  let status = _AUGraphCopyDescription(inGraph, &text)
  outDescription.pointee = text.map { Unmanaged.fromOpaque($0) }
  return status
}

/// Creates an open graph from a description in JSON. [control thread]
///
/// - Returns: `kAudio_ParamError` when the text is not a valid description, else the code of the
///   call that failed. `AUDiagnosticsCopyLastExplanation` names the line and the member, also when
///   `AUGraphInitialize`, `AUGraphStart` or `AUGraphUpdate` refuses a setting of the description.
public func AUGraphNewFromDescription(
  _ inDescription: CFString, _ outGraph: UnsafeMutablePointer<AUGraph?>
) -> OSStatus {
  withExtendedLifetime(inDescription) {
    _AUGraphNewFromDescription(Unmanaged.passUnretained(inDescription).toOpaque(), outGraph)
  }
}
