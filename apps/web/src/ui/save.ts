const READ_WITHIN_MS = 60_000

/** Saves a file as a browser download. */
export function save(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = url
  link.download = fileName
  link.click()
  // Delayed: some browsers start to read it some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS)
}
