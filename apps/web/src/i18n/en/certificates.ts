export const certificates = {
  authority: "Organisation",
  authorityFile: "Certificate of the organisation’s authority (file)",
  authorityHint:
    "Only people with a certificate from this authority can join. You need one too: import it under Settings.",
  authorityMissing: "Choose the authority whose people may join.",
  chosen: "{{name}} is chosen.",
  title: "Certificate of an organisation",
  hint: "For conferences that only people of an organisation may join. Send its authority a request, which holds your name and public key. You get a certificate back.",
  held: "As {{name}}, by {{authority}}, until {{date}}",
  request: "Save a request",
  requested: "The request was saved as a file. Give it to the authority.",
  certificateFile: "Certificate that you received (file)",
  import: "Import the certificate",
  imported: "The certificate is kept with this identity.",
  by: "Certified by {{name}}",
}
