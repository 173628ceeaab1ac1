// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Testing

@testable import ProcessingGraph

@Suite("Nodes of a graph")
struct NodeListTests {
  private static let effect = AudioComponentDescription(
    componentType: kAudioUnitType_Effect, componentSubType: 1, componentManufacturer: 1,
    componentFlags: 0, componentFlagsMask: 0)
  private static let output = AudioComponentDescription(
    componentType: kAudioUnitType_Output, componentSubType: 1, componentManufacturer: 1,
    componentFlags: 0, componentFlagsMask: 0)

  private func append(_ description: AudioComponentDescription, to nodes: inout NodeList) -> Node {
    let node = Node(nodes.nextNumber, description)
    nodes.append(node)
    return node
  }

  @Test("are found by their numbers, which are never used again")
  func numbers() throws {
    var nodes = NodeList()
    let (first, second) = (append(Self.effect, to: &nodes), append(Self.effect, to: &nodes))
    nodes.remove(second)
    let third = append(Self.effect, to: &nodes)
    #expect(third.number > second.number)
    #expect(try nodes.numbered(first.number) === first)
    #expect(try nodes.numbered(third.number) === third)
    let error = #expect(throws: AudioError.self) { try nodes.numbered(second.number) }
    #expect(error?.status == kAUGraphErr_NodeNotFound)
  }

  @Test("have an output node as their head until it is removed")
  func head() {
    var nodes = NodeList()
    _ = append(Self.effect, to: &nodes)
    #expect(nodes.head == nil)
    let output = append(Self.output, to: &nodes)
    #expect(nodes.head === output)
    nodes.remove(output)
    #expect(nodes.head == nil)
  }

  @Test("return to an earlier time without losing nodes that were added since")
  func reverting() {
    var nodes = NodeList()
    let (kept, removed) = (append(Self.effect, to: &nodes), append(Self.effect, to: &nodes))
    let earlier = nodes
    nodes.remove(removed)
    let added = append(Self.effect, to: &nodes)
    nodes.revert(to: earlier)
    #expect(nodes.map(\.number) == [kept, removed, added].map(\.number))
    #expect(nodes.nextNumber > added.number)
  }

  @Test("have one head after they return to an earlier time")
  func oneHead() {
    var nodes = NodeList()
    let old = append(Self.output, to: &nodes)
    let earlier = nodes
    nodes.remove(old)
    _ = append(Self.output, to: &nodes)
    nodes.revert(to: earlier)
    #expect(nodes.head === old)
    #expect(nodes.filter(\.isOutput).count == 1)
  }
}
