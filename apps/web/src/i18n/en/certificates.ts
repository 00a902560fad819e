export const certificates = {
  authority: "Organisation",
  authorityFile: "Certificate of the organisation’s authority (file)",
  authorityHint:
    "Only people with a certificate of this authority can enter, you among them. Yours is imported under Settings.",
  authorityMissing: "Choose the authority whose people may enter.",
  chosen: "{{name}} is chosen.",
  title: "Certificate of an organisation",
  hint: "For conferences that only an organisation’s people may enter. Its authority gets a request from you, which holds your name and public key, and gives you a certificate.",
  held: "As {{name}}, by {{authority}}, until {{date}}",
  request: "Save a request",
  requested: "The request was saved as a file. Give it to the authority.",
  certificateFile: "Certificate that you received (file)",
  import: "Import the certificate",
  imported: "The certificate is kept with this identity.",
  by: "Certified by {{name}}",
}
