import type { TextsWithoutOne } from "../plurals.ts"

export const security: TextsWithoutOne["security"] = {
  title: "セキュリティ",
  epoch: "鍵の番号",
  module: "鍵の取り決め方",
  modules: {
    tgdh: "TGDH（鍵の組の木）",
    str: "STR（鍵の組の鎖）",
    bd: "BD（輪、全員が加わる）",
    gdh: "GDH（一人ずつ順に鍵に加わる）",
    ckd: "CKD（一人が鍵を配る）",
    majority: "過半数（指名された人の）",
  },
  authenticity: "描いた人の証明",
  authenticities: {
    signature: "一人ひとりの署名",
    group: "グループの鍵だけ",
  },
  cipher: "メッセージとファイルの暗号方式",
  postQuantum: "量子コンピューター",
  postQuantumModes: {
    off: "今の記録を将来読める可能性があります",
    hybrid: "今の記録を読めません（ML-KEM-768）",
  },
  since: "保護の開始",
  notYet: "まだです",
  age: "鍵の経過時間",
  refresh: "今すぐ鍵を替える",
  refreshing: "新しい鍵を取り決めています…",
  code: "会議コード",
  codeHint: "会議の全員に同じ数字が見えます。直接または電話で比べてください。違っていれば、誰かが間に入っています。",
  codeWaiting: "鍵が決まると表示されます。",
  members: "これを読める人",
  details: "詳細",
  verifyName: "{{name}}さんの本人確認",
  allVerified: "ここにいる全員を本人確認しました。間に誰も入っていません。",
  verifiedOf_other:
    "{{all}}人中{{count}}人を本人確認しました。ほかの人の名前は、本人が入力したものです。確実に知るには、本人確認をしてください。",
  log: "これまでの出来事",
  close: "閉じる",
  view: {
    created: "参加しました。鍵{{epoch}}。",
    newKey: "新しい鍵、番号{{epoch}}。",
    refreshed: "人は同じまま、鍵が新しくなりました。番号{{epoch}}。",
  },
  transferred: "{{name}}さんからホワイトボードを受け取りました。一部が欠けている可能性があります。",
  merged: "{{names}}さんと再びつながりました。両方の変更を統合しました。",
  somebody: "不明な人",
  times: "（{{count}}回）",
  codes: {
    "fingerprint-mismatch":
      "「{{name}}」との接続を拒否しました。証明書が本人のものではありませんでした。誰かが間に入ろうとした可能性があります。",
    "forged-signal": "偽の署名が付いた接続の要求を無視しました。",
    "bad-association": "「{{name}}」のものと証明できない接続を拒否しました。",
    "bad-credential": "「{{name}}」からとされる、偽の署名が付いたメッセージを無視しました。",
    "bad-frame": "「{{name}}」からの形式の正しくないデータを無視しました。",
    obstruction:
      "「{{name}}」がほかの人を待たせているため、しばらく外れています。通信状態の悪さが原因の場合もあります。",
    equivocation: "「{{name}}」が一つのメッセージの異なる版を別々の人に送り、両方に署名しました。",
    "contradicting-host":
      "「{{name}}」はホストとして矛盾する決定をしたため、もうホストではありません。会議から外すかどうか、別のホストに聞いてください。",
    divergence: "「{{name}}」は、あなたと違うものを受け取りました。どちらが正しくないかはわかりません。",
    "failed-confirmation": "「{{name}}」は同じ鍵を持つことを証明できませんでした。新しい鍵を取り決めています。",
    "agreement-fault": "「{{name}}」が鍵の取り決めの規則に反しました。取り決めをやり直しています。",
    undecryptable: "「{{name}}」からのメッセージの暗号を解けず、無視しました。",
    "changed-key":
      "ご注意ください。誰かが「{{name}}」という名前を使っていますが、あなたが本人確認した人やここで知っている人の鍵ではありません。信用する前にコードを比べてください。",
    "altered-verifications":
      "あなたが本人確認した人の一覧を、誰かが書き換えました。この一覧は使いません。もう一度本人確認をしてください。",
    "unexpected-history": "「{{name}}」が以前のメッセージや絵を不適切な時に送ろうとしました。無視しました。",
    "foreign-author": "「{{name}}」が、入室を許可されたことのない人のメッセージを送りました。無視しました。",
    "invalid-content": "「{{name}}」からの無効な絵を無視しました。",
    "bad-statement": "「{{name}}」が偽造されたホストの決定を送りました。無視しました。",
    "beyond-role": "「{{name}}」が役割で許されないことをしようとしました。無視しました。",
    "handling-failed": "「{{name}}」からのデータを処理できず、無視しました。会議は続きます。",
    flooding: "「{{name}}」が、この端末で受け取れる量を超えて送っています。一部は遅れて届くか、省かれます。",
    "not-admitted": "リンクを持っていても、この会議への参加を認められていない人を、入れませんでした。",
  },
}

export const keyPicture: TextsWithoutOne["keyPicture"] = {
  tree_other: "葉{{count}}枚、高さ{{height}}段の鍵の木：{{nested}}。",
  ring_other: "{{count}}人の鍵の輪：{{names}}。",
  chain_other: "{{count}}人の鍵の鎖：{{names}}。",
  star_other: "{{name}}さんを中心とする、{{count}}人の鍵の星。",
  quorum_other: "指名された{{count}}人のうち{{of}}人で作成：{{names}}。",
  newOf: "直前の変化で新しくなったもの：{{names}}。",
  new: "直前の変化で新しくなったもの",
  contributed: "この鍵に加わった人",
  about: {
    tree: "枝分かれの一つひとつが、その右側の人だけが持つ鍵です。いちばん左の鍵が会議の鍵になります。",
    ring: "全員が両隣の人と鍵を共有します。それらを合わせたものが会議の鍵になります。",
    chain: "一人ひとりの分が、上から下の順に鍵に加わりました。",
    star: "いちばん上の人が鍵を作り、ほかの一人ひとりに渡しました。",
    quorum: "指名された人の過半数で鍵を作ります。ほかの人は、来たときにそれを受け取ります。",
  },
}
