/** Words by which mail clients are known, in lower case. What is not listed here is known by its form (mail-headers.ts, mail.ts). */

/** Names of the lines that stand above a quoted mail: who, when, to whom, about what. */
export const headerNames: ReadonlySet<string> = new Set(
  [
    "from sent date to cc bcc subject reply-to",
    "von gesendet datum an kopie betreff",
    "de envoyé expéditeur date à cc objet",
    "enviado fecha para asunto",
    "da inviato data a oggetto",
    "van verzonden aan onderwerp",
    "assunto enviada data",
    "från skickat till ämne fra sendt til emne",
    "lähettäjä lähetetty vastaanottaja aihe",
    "od wysłano do temat komu odesláno předmět dátum predmet feladó elküldve címzett tárgy dátum",
    "от отправлено дата кому тема від надіслано копия копія",
    "kimden gönderildi tarih kime bilgi konu",
    "από προς θέμα ημερομηνία",
    "trimis către subiect către",
    "差出人 送信日時 日時 日付 宛先 件名 发件人 發件人 寄件者 寄件人 发送时间 日期 傳送日期 收件人 收件者 抄送 副本 主题 主旨 主題 제목",
    "מאת תאריך נשלח אל נושא من إلى التاريخ الموضوع",
    "từ đến ngày dari kepada tanggal perihal",
  ].flatMap((names) => names.split(" ")),
).add("보낸 사람").add("보낸 날짜").add("받는 사람").add("reply to");

/** Those with which a head begins. */
export const senderNames: readonly string[] = ["from", "von", "de", "da", "van", "från", "fra", "lähettäjä", "od", "feladó", "от", "від", "kimden", "από", "差出人", "发件人", "發件人", "寄件者", "寄件人", "보낸 사람", "מאת", "من", "từ", "dari"];

/** What stands between dashes above a quoted mail. */
export const separatorPhrases: readonly string[] = [
  "original message", "forwarded message", "original appointment", "reply message", "ursprüngliche nachricht", "originalnachricht", "original-nachricht", "weitergeleitete nachricht",
  "message d'origine", "message d’origine", "message original", "message transféré", "mensaje original", "mensaje reenviado", "messaggio originale", "messaggio inoltrato",
  "oorspronkelijk bericht", "doorgestuurd bericht", "mensagem original", "mensagem encaminhada", "ursprungligt meddelande", "originalmeddelande", "oprindelig meddelelse", "opprinnelig melding",
  "alkuperäinen viesti", "wiadomość oryginalna", "oryginalna wiadomość", "původní zpráva", "pôvodná správa", "eredeti üzenet", "исходное сообщение", "пересылаемое сообщение", "оригінальне повідомлення",
  "orijinal mesaj", "元のメッセージ", "original-mail", "原始邮件", "原始郵件", "转发邮件", "원본 메시지", "mesaj original", "thư gốc", "pesan asli", "αρχικό μήνυμα", "الرسالة الأصلية", "ההודעה המקורית",
];

/** Who writes that somebody wrote something, does so with one of these. */
export const wroteWords: readonly string[] = [
  "wrote", "writes", "schrieb", "geschrieben", "a écrit", "à écrit", "escribió", "escrito", "escreveu", "ha scritto", "scrive", "schreef", "heeft geschreven", "skrev", "kirjoitti", "napisał", "pisze", "napsal", "napísal",
  "писал", "написал", "пишет", "пише", "написав", "έγραψε", "yazdı", "写道", "寫道", "写了", "写成", "書きました", "のメール", "작성", "썼습니다", "כתב", "كتب", "írta", "a scris", "đã viết", "menulis", "เขียน", "va escriure", "skrifaði",
];

/** Those that stand before the name of who wrote. */
export const verbsBeforeNames: readonly string[] = ["schrieb", "skrev", "schreef"];

/** The beginnings of such a line that need no date to be known by. */
export const wroteBeginnings: readonly string[] = ["on ", "am ", "le ", "el ", "il giorno ", "il ", "op ", "den ", "em ", "no dia ", "w dniu ", "dnia ", "dne ", "på ", "vào ", "pada "];

/** Lines that clients put below what somebody writes. */
export const clientSignatures: readonly string[] = [
  "sent from my ", "sent from outlook", "sent from yahoo", "sent from mobile", "sent from mail for", "sent via ", "sent with ", "get outlook for", "von meinem ", "gesendet von ", "gesendet mit ", "diese nachricht wurde von mein", "envoyé de mon ", "envoyé depuis ",
  "enviado desde ", "enviado do meu ", "enviado de ", "enviado a partir ", "inviato da ", "inviato dal ", "verstuurd vanaf ", "verzonden vanaf ", "skickat från ", "sendt fra ", "lähetetty ", "wysłane z ", "odesláno z ", "отправлено с ", "отправлено из ", "надіслано з ",
  "iphone'umdan gönderildi", "iphoneから送信", "从我的", "發自我的", "发自我的", "나의 iphone", "iphone에서 보냄", "נשלח מ", "أرسلت من", "εστάλη από ", "trimis de pe ",
];

/** What they name. */
export const devices: readonly string[] = [
  "iphone", "ipad", "android", "samsung", "galaxy", "xiaomi", "huawei", "pixel", "blackberry", "outlook", "yahoo", "proton", "gmail", "thunderbird", "mail", "mobil", "handy", "phone", "telefon", "téléphone", "teléfono", "tablet", "ios", "手机", "手機", "айфон",
];

/** Lines of the code host's own mails. */
export const hostFooters: readonly string[] = ["reply to this email directly,", "reply to this email directly or ", "you are receiving this because", "you're receiving this because", "message id: <"];
