#!/usr/bin/env node
/** `npx @keymoot/verify FILE`: ends with 0 if the archive is valid, with 1 if it is not, and with 2 if it cannot be read. */
import { readFileSync, statSync } from "node:fs"
import { EVIDENCE_BYTES_MAX, verifyEvidence } from "@keymoot/core/evidence"

/** @type {Record<import("@keymoot/core/evidence").EvidenceFault["part"], string>} */
const FAULTS = {
  size: "The file is too large to be an archive.",
  format: "The file is no archive of this version, or it was cut off or changed.",
  conference: "The conference's description was changed, or it does not fit the key beside it.",
  certificate: "The certificate with this number was changed, is not valid, or belongs to nobody who may write here.",
  message: "The message with this number is not one that its author signed for this conference.",
  order: "The message with this number stands before one that its author had already seen.",
  exporter: "The archive was changed after its export, or its exporter does not belong to the conference.",
}
const UNPROVED = `
Not proved: that no message is missing, the order of messages written at the same time, the times themselves, that a
message reached anybody, who is behind a name (compare the key with the person), and that a key was not stolen
before the export. Places and documents are what the exporter says.`

/** Authors choose these texts. Control characters could clear the terminal and show another result. @param {string} text */
const printable = (text) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, "?")
/** @param {string} text */
const print = (text) => void process.stdout.write(`${text}\n`)
/** @param {{ name: string, publicKey: string }} person */
const personOf = ({ name, publicKey }) => `${JSON.stringify(printable(name))} (key ${publicKey})`
/** @param {number} ms */
const timeOf = (ms) => new Date(ms).toISOString()

try {
  const [file, ...more] = process.argv.slice(2)
  if (file === undefined || more.length > 0) throw new Error("Usage: npx @keymoot/verify FILE")
  const isLarger = statSync(file).size > EVIDENCE_BYTES_MAX
  const verdict = await verifyEvidence(isLarger ? new Uint8Array(EVIDENCE_BYTES_MAX + 1) : readFileSync(file))
  if (verdict.valid) report(verdict.evidence)
  else {
    const { part, number } = verdict.fault
    print(`NOT VALID: ${part}${number === null ? "" : ` ${number}`}. ${FAULTS[part]}`)
    process.exitCode = 1
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
}

/** @param {import("@keymoot/core/evidence").Evidence} evidence */
function report({ conference, messages, documents, omitted, exporter, exportedAtMs }) {
  print(`Conference ${conference.id}, ${JSON.stringify(printable(conference.title))}`)
  print(`Created by ${personOf(conference.creator)}; admission: ${conference.admission}`)
  print(`Exported by ${personOf(exporter)} at ${timeOf(exportedAtMs)}\n`)
  for (const [index, { author, channel, text, sentAtMs, position, passedOn, after, certified }] of messages.entries()) {
    const before =
      after === null ? "after a message that is missing here" : after === "none" ? "" : `after ${after + 1}`
    const outdated = certified ? "" : "the author's certificate was not valid then"
    const notes = [before, passedOn ? "passed on" : "", outdated].filter((note) => note !== "").join(", ")
    const place = `epoch ${position.epoch}, view ${position.view.slice(0, 16)}, place ${position.sequence}`
    print(`${index + 1}. ${timeOf(sentAtMs)} ${printable(channel)} (${place}${notes && `; ${notes}`})`)
    print(`   ${personOf(author)}: ${printable(text)}`)
  }
  for (const { name, text, sha256 } of documents) {
    print(`Document ${JSON.stringify(printable(name))}, ${text.length} characters, SHA-256 ${sha256}`)
  }
  for (const what of omitted) print(`Left out by the exporter: ${printable(what)}`)
  print(`${UNPROVED}\n\nVALID: ${messages.length} messages, each signed by its author for this conference.`)
}
