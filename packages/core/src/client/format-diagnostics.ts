import { formatEntry, shortId } from "@keymoot/transport"
import type { Diagnostics, LinkDiagnostics, ViewRecord } from "../api/index.ts"

/**
 * Formats diagnostics as text in English, for a person to send to a developer. It names members by the first digits of
 * their ids. Like `Diagnostics` it has no key, no name, no content and no network address.
 */
export function formatDiagnostics(diagnostics: Diagnostics): string {
  const { self, server, view, links, queues, views, security, trace } = diagnostics
  const { epoch, members, status } = view
  return [
    "Keymoot diagnostics",
    `member ${shortId(self)}, server ${server}, epoch ${epoch}, members ${members}, ${status}`,
    ...section("links", links.map(formatLink)),
    ...section(
      "queues",
      queues.map(({ queue, bytes, bytesMax }) => `${queue}: ${bytes} of ${bytesMax} bytes`),
    ),
    ...section("views", views.map(formatView)),
    ...section(
      "security events",
      security.map(({ atMs, code, member }) => `${timeOf(atMs)} ${code} ${member === null ? "" : shortId(member)}`),
    ),
    ...section(
      `trace, ${trace.dropped} earlier events dropped`,
      trace.entries.map((entry) => formatEntry(entry)),
    ),
    "",
  ].join("\n")
}

function section(title: string, lines: readonly string[]): string[] {
  return ["", `${title} (${lines.length})`, ...lines.map((line) => `  ${line.trimEnd()}`)]
}

function formatLink({ member, path, roundTripMs, unacknowledgedBytes, windowBytes }: LinkDiagnostics): string {
  const roundTrip = roundTripMs === null ? "round trip not measured" : `round trip ${roundTripMs} ms`
  return `${shortId(member)} ${path}, ${roundTrip}, ${unacknowledgedBytes} of ${windowBytes} bytes unacknowledged`
}

function formatView({ epoch, installedAtMs, securedAtMs, members, cause, joined, gone }: ViewRecord): string {
  const secured = securedAtMs === null ? "never secured" : `secured after ${securedAtMs - installedAtMs} ms`
  const changes = [
    ...joined.map((member) => `+${shortId(member)}`),
    ...gone.map(({ member, departure }) => `-${shortId(member)} (${departure})`),
  ]
  return [`${timeOf(installedAtMs)} epoch ${epoch} ${cause}, members ${members}, ${secured}`, ...changes].join(" ")
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString()
}
