import type { OtherVersion } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { Banners } from "../../src/conference/banners/Banners.tsx"
import { OtherVersions } from "../../src/conference/banners/OtherVersions.tsx"
import { WaitingForHost } from "../../src/hosts/WaitingForHost.tsx"
import { speak, startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

beforeAll(() => void startI18n(["en-GB"]))
afterEach(() => speak(["en"]))

const RELOAD = "Reload this page: others use a newer version."

function other(name: string, older: OtherVersion["older"]): OtherVersion {
  const [theirs, ours] = older === "us" ? [2, 1] : [1, 2]
  return { person: { id: name, name, fingerprint: "" } as OtherVersion["person"], older, theirs, ours }
}

function banner(...others: readonly OtherVersion[]): string {
  return renderToStaticMarkup(<OtherVersions session={{ otherVersions: store(others) }} />)
}

/** The page of a person that has met nobody. */
function alone(...others: readonly OtherVersion[]): Session {
  return {
    handle: { title: "Weekly", keyAgreement: "tgdh", admission: { policy: "link" } },
    otherVersions: store(others),
    view: store({ status: "joining", members: [{}] }),
    admission: store({
      waiting: false,
      hostHere: false,
      vouched: true,
      knocks: [],
      messages: [],
      endsAtMs: Number.POSITIVE_INFINITY,
      maySetEnd: false,
    }),
    server: store("up"),
    storage: store("kept"),
    receiving: store(null),
    lost: store([]),
    late: store(false),
    boardUnsent: store(false),
    boardUnshared: store(0),
    following: store(null),
    broughtBy: store(null),
    reunited: store([]),
    presence: { doing: store(new Map()), loweredBy: store(null) },
    myNewRole: store(null),
    mentions: store([]),
    call: { begun: store([]) },
    polls: store([]),
    timer: store(null),
    reloading: store(new Set()),
    pictures: store({ adding: 0, coming: 0, percent: 0, missing: 0, beyond: 0, refused: [] }),
  } as unknown as Session
}

describe("with people of other versions the page", () => {
  it("asks for a reload when it is the older one", () => {
    expect(banner(other("Ada", "us"))).toContain(RELOAD)
    expect(banner(other("Ada", "us"))).toContain("<button")
    expect(banner(other("Ada", "us"))).not.toContain("Ada")
  })

  it("names the people whose page is older", () => {
    expect(banner(other("Ada", "them"))).toContain("Ada uses an older version. Ask them to reload.")
    expect(banner(other("Ada", "them"), other("Bob", "them"))).toContain("Ada and Bob use an older version.")
    expect(banner(other("Ada", "them"))).not.toContain(RELOAD)
  })

  it("counts them when they are many", () => {
    const many = ["Ada", "Bob", "Cleo", "Dan"].map((name) => other(name, "them"))
    expect(banner(...many)).toContain("4 people use an older version.")
  })

  it("says both when there are older and newer ones", () => {
    const said = banner(other("Ada", "them"), other("Bob", "us"))
    expect(said).toContain(RELOAD)
    expect(said).toContain("Ada uses an older version.")
  })

  it("says it in German", async () => {
    await speak(["de"])
    expect(banner(other("Ada", "us"))).toContain("Laden Sie diese Seite neu: Andere verwenden eine neuere Version.")
    expect(banner(other("Ada", "them"))).toContain("Ada verwendet eine ältere Version.")
  })

  it("says it to somebody who is alone, or waits for a host", () => {
    const session = alone(other("Ada", "us"))
    expect(renderToStaticMarkup(<Banners drawerOpen session={session} />)).toContain(RELOAD)
    expect(renderToStaticMarkup(<WaitingForHost session={session} onLeave={() => undefined} />)).toContain(RELOAD)
  })

  it("is quiet when there is nobody of another version", () => {
    expect(banner()).toBe("")
  })
})

it("announces this banner without the others that are shown already", () => {
  const session = alone(other("Ada", "us"))
  const [, announced] = renderToStaticMarkup(<Banners drawerOpen session={session} />).split(
    'role="status" aria-atomic="false">',
  )
  expect(announced).toContain(RELOAD)
})
