// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_GRAPH_H
#define CAUDIOTOOLBOX_AU_GRAPH_H

#include "AUComponent.h"
#include "AudioComponent.h"
#include "AudioUnitProperties.h"

// Graphs of units: nodes, the connections between them, and edits that take effect together while
// the graph plays.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// A processing graph: units and the sources of their inputs. Its edits take effect together, also
/// while it plays.
///
/// Every function may be called on any thread. On a render thread, none waits: while another thread
/// changes the graph, it returns kAUGraphErr_CannotDoInCurrentContext.
typedef struct OpaqueAUGraph *AUGraph;

/// The number of a node, counted from 1; numbers are not reused.
typedef SInt32 AUNode;

CF_ENUM(OSStatus) {
  /// The graph does not have this node or index.
  kAUGraphErr_NodeNotFound = -10860,
  /// An input or output is in use or does not exist, a node would feed itself, or there is no
  /// connection.
  kAUGraphErr_InvalidConnection = -10861,
  /// A second output node, a missing output node, or its removal while the graph runs.
  kAUGraphErr_OutputNodeErr = -10862,
  /// A render thread would have to wait; call again in its next cycle.
  kAUGraphErr_CannotDoInCurrentContext = -10863,
  /// The graph is not open: the unit does not exist.
  kAUGraphErr_InvalidAudioUnit = -10864
};

/// Kinds of AUNodeInteraction.
CF_ENUM(UInt32) {
  kAUNodeInteraction_Connection = 1,    ///< A connection from another node.
  kAUNodeInteraction_InputCallback = 2  ///< A callback of the host.
};

/// A connection from an output of one node to an input of another.
typedef struct AUNodeConnection {
  AUNode sourceNode;          ///< The node that supplies the sound.
  UInt32 sourceOutputNumber;  ///< Its output bus.
  AUNode destNode;            ///< The node that gets the sound.
  UInt32 destInputNumber;     ///< Its input bus.
} AUNodeConnection;
/// The older name of AUNodeConnection.
typedef AUNodeConnection AudioUnitNodeConnection;

/// A callback of the host that feeds an input of a node.
typedef struct AUNodeRenderCallback {
  AUNode destNode;                   ///< The node that gets the sound.
  AudioUnitElement destInputNumber;  ///< Its input bus.
  AURenderCallbackStruct cback;      ///< The function that supplies the sound.
} AUNodeRenderCallback;

/// The source of one input.
typedef struct AUNodeInteraction {
  UInt32 nodeInteractionType;  ///< kAUNodeInteraction_Connection or -InputCallback.
  /// The source, by its type.
  union {
    /// If the type is a connection.
    AUNodeConnection connection;
    /// If the type is a callback.
    AUNodeRenderCallback inputCallback;
  } nodeInteraction;
} AUNodeInteraction;

// MARK: Life

/// Creates an empty graph. [any thread]
///
/// - Parameter outGraph: the graph, which the caller disposes of.
/// - Returns: noErr, or `kAudio_ParamError` if `outGraph` is null.
OSStatus NewAUGraph(AUGraph _Nullable *_Nonnull outGraph);

/// Disposes of a graph with its nodes, units and sub-graphs; a running graph is stopped first. [any
/// thread]
///
/// - Parameter inGraph: the graph; invalid from now on. Called from a callback of it, another
///   thread finishes.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such graph, or it is a sub-graph, which
///   is disposed of with its node.
OSStatus DisposeAUGraph(AUGraph inGraph);

/// Creates the units of all nodes, without initializing them. [control thread]
///
/// - Parameter inGraph: the graph; an open one stays as it is.
/// - Returns: noErr; what AudioComponentInstanceNew returns for one of the units, -3000
///   (`invalidComponentID`) if there is no such unit; `kAUGraphErr_CannotDoInCurrentContext` in a
///   callback; `kAudio_ParamError` if there is no such graph, or it is a sub-graph.
OSStatus AUGraphOpen(AUGraph inGraph);

/// Disposes of the units; nodes and interactions stay, and the graph can be opened again. [control
/// thread]
///
/// - Parameter inGraph: the graph; a running one is stopped first.
/// - Returns: noErr; `kAudio_ParamError` if there is no such graph, or it is a sub-graph.
OSStatus AUGraphClose(AUGraph inGraph);

/// Checks the graph, sets each connected input to the format of its source, and initializes the
/// units that take part, sources first. The graph needs an output node. [control thread]
///
/// - Parameter inGraph: an open graph; an initialized one stays as it is.
/// - Returns: noErr; `kAUGraphErr_InvalidAudioUnit` if it is not open; `kAUGraphErr_OutputNodeErr`
///   if it has no output node; `kAUGraphErr_InvalidConnection` if connections form a cycle or name
///   a bus that does not exist; `kAudioUnitErr_FormatNotSupported` if an input cannot take the
///   format of its source; what AudioUnitInitialize returns for one of the units;
///   `kAUGraphErr_CannotDoInCurrentContext` in a callback; `kAudio_ParamError` if there is no such
///   graph, or it is a sub-graph.
OSStatus AUGraphInitialize(AUGraph inGraph);

/// Uninitializes the units; a running graph is stopped first. [control thread]
///
/// - Parameter inGraph: the graph.
/// - Returns: noErr; `kAudio_ParamError` if there is no such graph, or it is a sub-graph.
OSStatus AUGraphUninitialize(AUGraph inGraph);

/// Starts the unit of the output node; a running graph continues. [control thread]
///
/// - Parameter inGraph: an initialized graph.
/// - Returns: noErr; `kAudioUnitErr_Uninitialized`; `kAUGraphErr_OutputNodeErr` if it has no output
///   node; what AudioOutputUnitStart returns for that node; `kAUGraphErr_CannotDoInCurrentContext`
///   in a callback; `kAudio_ParamError` if there is no such graph, or it is a sub-graph.
OSStatus AUGraphStart(AUGraph inGraph);

/// Stops the unit of the output node; on return, none of the graph's callbacks runs any more.
/// [control thread]
///
/// - Parameter inGraph: the graph; one that does not run stays as it is.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph, or it is a sub-graph.
OSStatus AUGraphStop(AUGraph inGraph);

/// Whether the units exist. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsOpen: true from AUGraphOpen to AUGraphClose.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphIsOpen(AUGraph inGraph, Boolean *outIsOpen);

/// Whether the units that take part are initialized. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsInitialized: true from AUGraphInitialize to AUGraphUninitialize.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphIsInitialized(AUGraph inGraph, Boolean *outIsInitialized);

/// Whether the unit of the output node plays. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsRunning: true while it plays.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphIsRunning(AUGraph inGraph, Boolean *outIsRunning);

// MARK: Nodes

/// Adds a node. The description names type, subtype and manufacturer; one node may be an output. In
/// an open graph, the unit is created immediately. In an initialized graph, the AUGraphUpdate that
/// connects the unit initializes it. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inDescription: type, subtype and manufacturer, none of them 0.
///   - outNode: the number of the node.
/// - Returns: noErr; `kAUGraphErr_OutputNodeErr` for a second output; in an open graph -3000
///   (`invalidComponentID`) if there is no such unit, or what AudioComponentInstanceNew returns;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph, a pointer is null, or a code of the
///   description is 0.
OSStatus AUGraphAddNode(AUGraph inGraph, const AudioComponentDescription *inDescription,
                        AUNode *outNode);

/// Removes a node with its connections and callbacks. The output node cannot be removed while the
/// graph runs. In an initialized graph, the unit is disposed of after AUGraphUpdate. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node; its number is not used again.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_OutputNodeErr` for the output of a running graph;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread for an output or a sub-graph, or
///   while another thread changes the graph; `kAudio_ParamError` if there is no such graph.
OSStatus AUGraphRemoveNode(AUGraph inGraph, AUNode inNode);

/// The number of nodes. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outNumberOfNodes: how many nodes it has, without those of sub-graphs.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetNodeCount(AUGraph inGraph, UInt32 *outNumberOfNodes);

/// A node by its index, in the order in which nodes were added. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inIndex: from 0 to the number of nodes minus 1.
///   - outNode: the number of the node.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if there are fewer nodes;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetIndNode(AUGraph inGraph, UInt32 inIndex, AUNode *outNode);

/// The description and unit of a node; the unit is null before the graph is open. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outDescription: its type, subtype and manufacturer. May be null.
///   - outAudioUnit: its unit, which belongs to the graph; null for a sub-graph. May be null.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph.
OSStatus AUGraphNodeInfo(AUGraph inGraph, AUNode inNode,
                         AudioComponentDescription *_Nullable outDescription,
                         AudioUnit _Nullable *_Nullable outAudioUnit);

/// Adds a node that is a sub-graph, which belongs to this graph and follows its states. Its output
/// is that of its own output node. Its inputs are the inputs of its units that have no source in
/// it, in the order of nodes and buses. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outNode: the number of the node.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphNewNodeSubGraph(AUGraph inGraph, AUNode *outNode);

/// The sub-graph of a node. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node of a sub-graph.
///   - outSubGraph: the sub-graph, which is not disposed of by the caller.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node, or it is not a
///   sub-graph; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetNodeInfoSubGraph(AUGraph inGraph, AUNode inNode,
                                    AUGraph _Nullable *_Nonnull outSubGraph);

/// Whether a node is a sub-graph. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outFlag: true for a sub-graph.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphIsNodeSubGraph(AUGraph inGraph, AUNode inNode, Boolean *outFlag);

// MARK: Interactions

/// Connects an output of one node to an input of another. Each input has one source and each output
/// one destination. Element 1 of an I/O node may feed its own element 0. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inSourceNode: the node that supplies the sound.
///   - inSourceOutputNumber: its output bus, from 0 on.
///   - inDestNode: the node that gets the sound.
///   - inDestInputNumber: its input bus, from 0 on.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_InvalidConnection` if the input or the output is in use, a bus does not exist (in
///   an open graph), or a node would feed itself; `kAUGraphErr_CannotDoInCurrentContext` on a
///   render thread while another thread changes the graph; `kAudio_ParamError` if there is no such
///   graph.
OSStatus AUGraphConnectNodeInput(AUGraph inGraph, AUNode inSourceNode,
                                 UInt32 inSourceOutputNumber, AUNode inDestNode,
                                 UInt32 inDestInputNumber);

/// Feeds an input from a callback, replacing its source. A null callback disconnects. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inDestNode: the node that gets the sound.
///   - inDestInputNumber: its input bus, from 0 on.
///   - inInputCallback: the function and its context, called on the thread that renders.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_InvalidConnection` if the bus does not exist (in an open graph);
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphSetNodeInputCallback(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber,
                                     const AURenderCallbackStruct *inInputCallback);

/// Disconnects an input. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inDestNode: the node.
///   - inDestInputNumber: its input bus, from 0 on.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_InvalidConnection` if nothing feeds the input;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph.
OSStatus AUGraphDisconnectNodeInput(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber);

/// Removes all connections and callbacks. [any thread]
///
/// - Parameter inGraph: the graph.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph.
OSStatus AUGraphClearConnections(AUGraph inGraph);

/// The number of interactions: inputs with a source. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outNumInteractions: how many inputs have a source.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetNumberOfInteractions(AUGraph inGraph, UInt32 *outNumInteractions);

/// An interaction by its index. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inInteractionIndex: from 0 to the number of interactions minus 1.
///   - outInteraction: the source and the input that it feeds.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if there are fewer interactions;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetInteractionInfo(AUGraph inGraph, UInt32 inInteractionIndex,
                                   AUNodeInteraction *outInteraction);

/// The number of a node's interactions, as source and as destination. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outNumInteractions: how many there are.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphCountNodeInteractions(AUGraph inGraph, AUNode inNode, UInt32 *outNumInteractions);

/// The interactions of a node; `*ioNumInteractions` is the capacity, and on return the number
/// written. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - ioNumInteractions: the room in the array; on return the number written.
///   - outInteractions: the interactions; may be null if there are none.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetNodeInteractions(AUGraph inGraph, AUNode inNode, UInt32 *ioNumInteractions,
                                    AUNodeInteraction *outInteractions);

/// Applies the edits of an initialized graph, all of them at the same slice. Before the graph is
/// initialized, edits need no update. [any thread]
///
/// With a null flag it returns when the edits are in effect, even if the device hangs. Otherwise it
/// returns immediately, and the flag is true if no edits are pending. If any edit is impossible,
/// all are refused: the old graph continues to play, and the interactions are restored.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsUpdated: null to wait; otherwise whether no edits are pending, false after an error.
/// - Returns: noErr; `kAUGraphErr_OutputNodeErr`, `kAUGraphErr_InvalidConnection` or
///   `kAudioUnitErr_FormatNotSupported` if an edit is impossible, for the reasons of
///   AUGraphInitialize; what AudioUnitInitialize returns for a new unit;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph.
OSStatus AUGraphUpdate(AUGraph inGraph, Boolean *_Nullable outIsUpdated);

// MARK: Rendering

/// The CPU load of the graph, averaged over a tenth of a second: 1 is all of the available time,
/// more means that the graph is too slow. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outAverageCPULoad: 0 or more; 1 is all of the available time.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetCPULoad(AUGraph inGraph, Float32 *outAverageCPULoad);

/// The largest CPU load of a single render since the last call, or since the start. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outMaxLoad: 0 or more; 1 is all of the available time.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetMaxCPULoad(AUGraph inGraph, Float32 *outMaxLoad);

/// Adds a function that is called before and after each render of the output node. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inCallback: the function, called on the thread that renders.
///   - inRefCon: passed to the function.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphAddRenderNotify(AUGraph inGraph, AURenderCallback inCallback,
                                void *_Nullable inRefCon);

/// Removes the function that was added with the same context. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inCallback: the function.
///   - inRefCon: the pointer with which it was added.
/// - Returns: noErr, also if nothing was removed; `kAUGraphErr_CannotDoInCurrentContext` on a
///   render thread while another thread changes the graph; `kAudio_ParamError` if there is no such
///   graph or a pointer is null.
OSStatus AUGraphRemoveRenderNotify(AUGraph inGraph, AURenderCallback inCallback,
                                   void *_Nullable inRefCon);

// MARK: Deprecated

/// Like AUGraphAddNode; class data is not supported: its size must be 0. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inDescription: type, subtype and manufacturer, none of them 0.
///   - inClassDataSize: 0.
///   - inClassData: not used.
///   - outNode: the number of the node.
/// - Returns: as AUGraphAddNode; `kAudio_ParamError` also if the size is not 0.
OSStatus AUGraphNewNode(AUGraph inGraph, const AudioComponentDescription *inDescription,
                        UInt32 inClassDataSize, const void *_Nullable inClassData,
                        AUNode *outNode);

/// Like AUGraphNodeInfo; the class data is always empty. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outDescription: its type, subtype and manufacturer. May be null.
///   - outClassDataSize: 0. May be null.
///   - outClassData: null. May be null.
///   - outAudioUnit: its unit; null before the graph is open. May be null.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph.
OSStatus AUGraphGetNodeInfo(AUGraph inGraph, AUNode inNode,
                            AudioComponentDescription *_Nullable outDescription,
                            UInt32 *_Nullable outClassDataSize,
                            void *_Nullable *_Nullable outClassData,
                            AudioUnit _Nullable *_Nullable outAudioUnit);

/// The number of connections, without callbacks. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outNumConnections: how many connections it has.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetNumberOfConnections(AUGraph inGraph, UInt32 *outNumConnections);

/// A connection by its index among the connections. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inConnectionIndex: from 0 to the number of connections minus 1.
///   - outSourceNode: the node that supplies the sound.
///   - outSourceOutputNumber: its output bus.
///   - outDestNode: the node that gets the sound.
///   - outDestInputNumber: its input bus.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if there are fewer connections;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetConnectionInfo(AUGraph inGraph, UInt32 inConnectionIndex, AUNode *outSourceNode,
                                  UInt32 *outSourceOutputNumber, AUNode *outDestNode,
                                  UInt32 *outDestInputNumber);

/// The number of a node's connections, as source and as destination. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outNumConnections: how many there are.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphCountNodeConnections(AUGraph inGraph, AUNode inNode, UInt32 *outNumConnections);

/// The connections of a node; the count is the capacity, and on return the number written. [any
/// thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outConnections: the connections; may be null if there are none.
///   - ioNumConnections: the room in the array; on return the number written.
/// - Returns: noErr; `kAUGraphErr_NodeNotFound` if the graph does not have the node;
///   `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread changes the
///   graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetNodeConnections(AUGraph inGraph, AUNode inNode,
                                   AudioUnitNodeConnection *outConnections,
                                   UInt32 *ioNumConnections);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
