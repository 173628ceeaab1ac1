// SPDX-License-Identifier: Apache-2.0
import PlugInDiscovery
import PlugInHosting

if CommandLine.arguments.dropFirst().first == RemoteWorker.word { RemoteWorker.run() }
ScanWorker.run()
