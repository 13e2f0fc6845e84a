"""Other languages: small talk is left out, facts are kept word for word, and a repeat is known for one."""

from __future__ import annotations

import pytest

from perdure.models import ExtractionContext, Match, Similar
from perdure.offline.decide import decide
from perdure.offline.extract import extract
from tests import make

TALK = [
    "¡Hola! ¿Cómo estás hoy?",
    "Muchas gracias por tu ayuda de hoy.",
    "Buenos días, que tengas un buen día.",
    "Jajaja, qué divertido.",
    "Vale, hablamos mañana.",
    "Hola Marta, buenas tardes.",
    "Te agradezco mucho el consejo.",
    "Привет! Как твои дела?",
    "Спасибо большое за помощь!",
    "Хорошо, понял, до завтра.",
    "Какая хорошая погода сегодня!",
    "Ха-ха, очень смешно.",
    "Доброе утро, приятно познакомиться.",
    "Расскажи мне анекдот, пожалуйста.",
    "مرحبا، كيف حالك اليوم؟",
    "شكرا جزيلا على مساعدتك اليوم",
    "صباح الخير، أتمنى لك يوما سعيدا",
    "حسنا، فهمت، أراك غدا",
    "الجو جميل جدا اليوم",
    "ههههه هذا مضحك جدا",
    "أخبرني نكتة من فضلك",
    "Bonjour, comment allez-vous aujourd'hui ?",
    "Merci beaucoup pour ton aide.",
    "Bonne journée, à bientôt !",
    "D'accord, je comprends très bien.",
    "Il fait beau aujourd'hui.",
    "Ciao, come stai oggi?",
    "Grazie mille per il tuo aiuto.",
    "Che bella giornata oggi!",
    "Va bene, ci vediamo domani.",
    "Buona serata e a presto!",
    "Halo, apa kabar hari ini?",
    "Terima kasih banyak atas bantuanmu.",
    "Selamat pagi, semoga harimu menyenangkan.",
    "Baik, saya mengerti.",
    "Cuaca hari ini sangat cerah.",
    "你好，今天过得怎么样？",
    "谢谢你的帮助，非常感谢。",
    "哈哈，太有趣了。",
    "好的，明天见。",
    "今天天气真好。",
    "こんにちは、お元気ですか。",
    "手伝ってくれてありがとうございます。",
    "なるほど、わかりました。",
    "今日はいい天気ですね。",
    "お疲れ様でした、また明日。",
    "안녕하세요, 잘 지내세요?",
    "도와주셔서 정말 감사합니다.",
    "네, 알겠습니다.",
    "오늘 날씨가 정말 좋네요.",
    "ㅋㅋㅋ 재미있네요.",
]
FACTS = [
    "Hola, vivo en Quito con mi hermana.",
    "No fumo ni bebo alcohol.",
    "Soy alérgica a los cacahuetes.",
    "Mi perro se llama Canelo.",
    "Gracias, me voy a mudar a Sevilla.",
    "Hola, soy enfermera.",
    "Ya no vivo en Lima.",
    "Я живу в Казани с братом.",
    "Моя дочь учится в третьем классе.",
    "Привет, я работаю врачом.",
    "У меня аллергия на орехи.",
    "Пока я живу в Перми.",
    "أعيش في القاهرة مع أسرتي",
    "لا أدخن ولا أشرب القهوة",
    "مرحبا، أنا مهندس وأعمل في دبي",
    "ابنتي عمرها خمس سنوات",
    "أكتب روايات منذ عشر سنوات",
    "أشرح الرياضيات لطلاب الثانوية",
    "عندي حساسية من الفول السوداني",
    "Je suis végétarienne depuis 2015.",
    "Bonjour, j'habite à Nantes.",
    "Mon chat s'appelle Biscuit.",
    "Ciao, mi chiamo Elena e vivo a Torino.",
    "Sono allergico alle noci.",
    "Saya tidak makan daging.",
    "Halo, saya tinggal di Bandung.",
    "Adik saya seorang guru.",
    "我住在杭州，养了一只猫。",
    "我对花生过敏。",
    "我太太在银行工作。",
    "私は大阪に住んでいます。",
    "私は肉を食べません。",
    "저는 부산에 살아요.",
    "네 살짜리 아들이 있어요.",
    "저는 고기를 안 먹어요.",
]


def said(text: str) -> list[str]:
    context = ExtractionContext("", (), make.exchange(make.message_record(text)))
    return [candidate.text for candidate in extract(context).candidates]


@pytest.mark.parametrize("text", TALK)
def test_small_talk_is_no_memory(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize("text", FACTS)
def test_a_fact_is_kept_word_for_word(text: str) -> None:
    assert said(text) == [f"user: {text}"]


@pytest.mark.parametrize(
    ("old", "new", "event"),
    [
        ("user: Vivo en Bogotá, con mi tía.", "user: vivo en bogota con mi tia", "NOOP"),
        ("user: Я работаю врачом!", "user: Привет, я работаю врачом", "NOOP"),
        ("user: أعيش في القاهرة مع أسرتي", "user: اعيش في القاهرة مع اسرتي.", "NOOP"),
        ("user: Bebo café.", "user: No bebo café.", "ADD"),
        ("user: أشرب القهوة", "user: لا أشرب القهوة", "ADD"),
        ("user: Bebo café.", "user: Bebo té.", "ADD"),
    ],
)
def test_a_repeat_is_known_in_other_marks_accents_and_greetings(old: str, new: str, event: str) -> None:
    memory = make.memory(old, attributed_to="user")
    match = Match(make.candidate(new, attributed_to="user"), (Similar(memory, 0.5, 0.0),))

    assert [decision.event for decision in decide([match], near_duplicate=0.95)] == [event]
