import { OpensslAuthority } from "../../support/security/authority.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

/** Opens the settings at the certificates of the chosen identity. */
async function openCertificates(person: Person, origin: string): Promise<void> {
  await person.page.goto(origin)
  await person.press("Settings")
  const details = person.page.locator("details", { hasText: "Certificate of an organisation" })
  // Elements above it may still be loading, and move it away from under the mouse.
  await expect(async () => {
    if (!(await details.evaluate((element: HTMLDetailsElement) => element.open)))
      await person.page.getByText("Certificate of an organisation").click()
    expect(await details.evaluate((element: HTMLDetailsElement) => element.open)).toBe(true)
  }).toPass()
}

async function importCertificate(person: Person, certificate: string, authority: string): Promise<void> {
  await person.page.getByLabel("Certificate that you received (file)").setInputFiles(certificate)
  await person.page.getByLabel("Certificate of the organisation’s authority (file)").setInputFiles(authority)
  await person.press("Import the certificate")
}

async function request(person: Person, path: string): Promise<string> {
  const downloading = person.page.waitForEvent("download")
  await person.press("Save a request")
  await (await downloading).saveAs(path)
  await expect(person.page.getByText("The request was saved as a file.")).toBeVisible()
  return path
}

test("certified people meet; a person with the link and no certificate is refused", async ({
  server,
  people,
}, testInfo) => {
  test.slow()
  const acme = new OpensslAuthority(testInfo.outputDir, "Acme Ltd")
  const other = new OpensslAuthority(testInfo.outputDir, "Other Ltd")
  const [ada, bob, eve] = [
    await people.arrive("Ada"),
    await people.arrive("Bob"),
    await people.arrive("Eve", "firefox"),
  ]
  for (const person of [ada, bob]) {
    // An identity is made at the first conference, or here.
    await person.page.goto(server.origin)
    await person.press("Settings")
    await person.page.getByText("New identity, with a backup if you like").click()
    await person.type("Name", person.name)
    await person.press("Create identity")
    await expect(person.page.getByRole("radio", { name: new RegExp(person.name, "u") })).toBeChecked()
    await openCertificates(person, server.origin)
    const asked = await request(person, testInfo.outputPath(`${person.name}.csr`))
    await importCertificate(person, acme.issue(asked), other.certificate)
    await expect(person.problem).toHaveText(/^This certificate cannot be used\./u)
    await importCertificate(person, acme.issue(asked), acme.certificate)
    await expect(person.page.getByText(`As ${person.name}, by Acme Ltd, until`)).toBeVisible()
    await person.press("Close")
  }

  await expect(ada.page.getByLabel("Your name")).toHaveValue("Ada")
  await ada.page.getByText("Options", { exact: true }).click()
  await ada.page.getByLabel("Who may join").selectOption("only people of an organisation")
  await expect(ada.page.getByLabel("Organisation", { exact: true })).toHaveValue("Acme Ltd")
  await ada.press("Start a conference")
  await ada.seesLock("Only you are here.")
  const link = await ada.copyLink()
  await eve.join(link)
  await expect(eve.problem).toContainText("lack the certificate that it requires")
  await bob.join(link)
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  for (const person of [ada, bob]) {
    await person.page.getByRole("tab", { name: "People" }).click()
    await expect(person.page.getByText("Certified by Acme Ltd")).toHaveCount(2)
  }
})

test("an authority is chosen by file, and refused if no member has its certificate", async ({
  server,
  people,
}, testInfo) => {
  const acme = new OpensslAuthority(testInfo.outputDir, "Acme Ltd")
  const ada = await people.arrive("Ada")
  await ada.page.goto(server.origin)
  await ada.type("Your name", "Ada")
  await ada.page.getByText("Options", { exact: true }).click()
  await ada.page.getByLabel("Who may join").selectOption("only people of an organisation")
  await ada.press("Start a conference")
  await expect(ada.problem).toHaveText("Choose the authority whose people may join.")
  await ada.page.getByLabel("Certificate of the organisation’s authority (file)").setInputFiles(acme.certificate)
  await expect(ada.page.getByText("root.pem is chosen.")).toBeVisible()
  await ada.press("Start a conference")
  await expect(ada.problem).toContainText("lack the certificate that it requires")
})
