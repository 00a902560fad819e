const READ_WITHIN_MS = 60_000

/** Saves a file where the browser saves what is downloaded. */
export function save(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = url
  link.download = fileName
  link.click()
  // Not at once: some browsers begin to read it a while after the click.
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS)
}
