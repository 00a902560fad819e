import type { TextsWithoutOne } from "../plurals.ts"

export const certificates: TextsWithoutOne["certificates"] = {
  authority: "組織",
  authorityFile: "組織の認証局の証明書（ファイル）",
  authorityHint: "この認証局の証明書を持つ人だけが参加できます。あなたにも必要です。「設定」で取り込んでください。",
  authorityMissing: "どの認証局の人が参加できるかを選んでください。",
  chosen: "{{name}}を選びました。",
  title: "組織の証明書",
  hint: "特定の組織の人だけが参加できる会議のためのものです。その認証局に申請書を送ってください。申請書にはあなたの名前と公開鍵が入っています。証明書が返ってきます。",
  held: "名前：{{name}}、発行：{{authority}}、期限：{{date}}",
  request: "申請書を保存",
  requested: "申請書をファイルに保存しました。認証局に渡してください。",
  certificateFile: "受け取った証明書（ファイル）",
  import: "証明書を取り込む",
  imported: "証明書をこのIDと一緒に保管しました。",
  by: "{{name}}が証明",
}
