import { expect, test } from "vitest"
import { CERTIFICATE_ANSWERS_BURST } from "../../../src/bounds/network-bounds.ts"
import { packParcels } from "../../../src/network/association/channel.ts"
import { encodeControl } from "../../../src/network/messages/control.ts"
import { TestConference } from "../conference.ts"
import { HostileMember } from "./hostile-member.ts"

test("sends a member few bytes when that asks for a certificate without end", async () => {
  const conference = new TestConference(2)
  const victim = conference.join("victim", conference.identity(1))
  await conference.pass(500)
  const hostile = new HostileMember(conference, conference.identity(0), victim)
  await conference.network.run()
  await hostile.introduce()
  await hostile.link()
  const { member, certificate } = hostile.identity
  expect(victim.links).toEqual([member])

  const commands = victim.commands.length
  const request = { control: true, bytes: encodeControl({ kind: "certificateRequest", member }) }
  const requests = Array.from({ length: 10 * CERTIFICATE_ANSWERS_BURST }, () => request)
  await hostile.send(packParcels(requests, (plain) => hostile.sealer!.seal(plain)))
  const sent = victim.commands
    .slice(commands)
    .flatMap((command) => (command.type === "peer-send" ? command.frames : []))
  const bytes = sent.reduce((sum, { length }) => sum + length, 0)
  expect(bytes).toBeGreaterThan(CERTIFICATE_ANSWERS_BURST * certificate.length)
  expect(bytes).toBeLessThan(2 * CERTIFICATE_ANSWERS_BURST * certificate.length)
  expect(victim.mesh.dropped.get("certificate: requests too often")).toBe(9 * CERTIFICATE_ANSWERS_BURST)
  expect(victim.links).toEqual([member])
})
