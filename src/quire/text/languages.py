"""Languages as Quire knows them: their stemmers, their function words and their scripts."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """`stemmer` is a Snowball algorithm; `function_words` carry grammar, not content (question words included)."""

    stemmer: str | None
    function_words: frozenset[str]


def _language(stemmer: str | None, words: str) -> Language:
    return Language(stemmer, frozenset(words.casefold().split()))


LANGUAGES: dict[str, Language] = {
    "en": _language(
        "english",
        "a an the of in on at to for from by with and or not no nor is are was were be been being am do does did"
        " doing done have has had having i you he she it we they me him her us them my your his its our their mine"
        " this that these those what which who whom whose when where why how as if than then so such can could will"
        " would shall should may might must about into over under between through during before after above below"
        " up down out off again further once here there all any both each few more most other some only own same"
        " too very just now but because while until also there's it's don't doesn't didn't isn't aren't wasn't"
        " weren't can't won't i'm you're we're they're let's that's what's who's",
    ),
    "de": _language(
        "german",
        "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war waren"
        " wird werden wurde wurden sein hat haben hatte hatten ich du er sie es wir ihr sich mich mir dich dir ihm"
        " ihn ihnen uns euch mein dein seine ihre ihren ihrer ihrem unser in im an am auf aus bei mit nach von vom"
        " zu zum zur für über unter vor durch gegen ohne um bis als wie so auch nur noch schon dass daß wenn weil"
        " ob was wer wen wem wann wo warum wieso wieviele welche welcher welches welchen welchem dieser diese dieses"
        " diesem diesen kann können konnte muss müssen soll sollte will zwischen während mehr sehr da dann hier dort",
    ),
    "fr": _language(
        "french",
        "le la les l un une des du de d au aux et ou mais ni ne pas plus que qu qui quoi dont où quand comment"
        " pourquoi combien quel quelle quels quelles lequel laquelle est sont était étaient être été a ont avait"
        " avaient avoir eu je j tu il elle on nous vous ils elles me m te t se s lui leur leurs mon ma mes ton ta"
        " tes son sa ses notre nos votre vos ce cet cette ces c cela ça en y dans sur sous par pour avec sans entre"
        " vers chez depuis pendant comme si aussi très même tout tous toute toutes fait faire peut n après avant",
    ),
    "es": _language(
        "spanish",
        "el la los las lo un una unos unas de del al a y e o u pero no ni que qué quien quién quienes quiénes cual"
        " cuál cuáles cuando cuándo donde dónde como cómo cuanto cuánto cuántos cuántas cuánta por para con sin en"
        " entre sobre bajo desde hasta hacia según es son era eran fue fueron ser sido está están estaba estar ha"
        " han había haber hay he se me te le les nos os su sus mi mis tu tus nuestro nuestra este esta estos estas"
        " ese esa eso esto esos aquel yo él ella ellos ellas nosotros usted más muy también ya si sí porque durante",
    ),
    "pt": _language(
        "portuguese",
        "o a os as um uma uns umas de do da dos das em no na nos nas ao à aos às e ou mas não nem que quê quem qual"
        " quais quando onde como quanto quantos quantas quanta por pelo pela pelos pelas para com sem entre sobre"
        " sob desde até é são era eram foi foram ser sido está estão estava estar tem têm tinha ter há se me te lhe"
        " lhes nos vos seu sua seus suas meu minha teu nosso nossa este esta estes estas esse essa isso isto aquele"
        " eu ele ela eles elas nós você vocês mais muito também já porque durante num numa",
    ),
    "it": _language(
        "italian",
        "il lo la i gli le l un uno una di del dello della dei degli delle dell a al allo alla ai agli alle all da"
        " dal dallo dalla dai dagli dalle dall in nel nello nella nei negli nelle nell su sul sullo sulla sui sugli"
        " sulle sull con per tra fra e ed o ma non né che chi cui quale quali quando dove come quanto quanti quante"
        " quanta perché è sono era erano fu furono essere stato stata stati ha hanno aveva avere ho si mi ti ci vi"
        " ne suo sua suoi sue mio tuo nostro loro questo questa questi queste quello quella io lui lei noi voi più"
        " molto anche se già d c quest cos cosa",
    ),
    "nl": _language(
        "dutch",
        "de het een en of maar niet geen is zijn was waren wordt worden werd werden ben bent heeft hebben had hadden"
        " ik jij je u hij zij ze wij we jullie hem haar hen hun mij me ons mijn jouw uw onze van in op aan uit bij"
        " met naar voor door over onder tegen zonder om tot als dan dat die dit deze er ook nog al zo te ten ter wat"
        " wie welke welk wanneer waar waarom hoe hoeveel kan kunnen zal zou zullen moet moeten tussen tijdens na",
    ),
    "sv": _language(
        "swedish",
        "en ett den det de och eller men inte är var vara varit blir blev har hade ha jag du han hon vi ni dem mig"
        " dig sig honom henne oss er min din sin sitt sina hans hennes deras vår i på av till från med för om under"
        " över mellan genom efter före vid utan mot som att när där hur varför vad vem vilken vilket vilka vars"
        " också så än nu ska skulle kan kunde denna detta dessa alla mer mycket många",
    ),
    "da": _language(
        "danish",
        "en et den det de og eller men ikke er var være været bliver blev har havde have jeg du han hun vi i dem mig"
        " dig sig ham hende os jer min din sin sit sine hans hendes deres vores på af til fra med for om under over"
        " mellem gennem efter før ved uden mod som at når hvor hvordan hvorfor hvad hvem hvilken hvilket hvilke hvis"
        " også så nu skal skulle kan kunne denne dette disse alle mere meget mange hvornår",
    ),
    "no": _language(
        "norwegian",
        "en et ei den det de og eller men ikke er var være vært blir ble har hadde ha jeg du han hun vi dere dem meg"
        " deg seg ham henne oss min din sin sitt sine hans hennes deres vår i på av til fra med for om under over"
        " mellom gjennom etter før ved uten mot som at når hvor hvordan hvorfor hva hvem hvilken hvilket hvilke også"
        " så nå skal skulle kan kunne denne dette disse alle mer mye mange hvis å ikkje eit eg frå",
    ),
    "fi": _language(
        "finnish",
        "ja tai mutta ei eivät ole olla on ovat oli olivat ollut olisi en et emme minä sinä hän me te he se ne tämä"
        " tuo nämä ne joka jotka jonka mikä mitä mitkä kuka ketkä kenen milloin missä mistä mihin miksi miten kuinka"
        " monta että kun jos kuin niin myös vain jo vielä sekä hänen heidän sen sitä siitä siinä sille tämän tätä"
        " tässä mukaan kanssa ennen jälkeen aikana kaikki hyvin enemmän voi voivat",
    ),
    "pl": _language(
        "polish",
        "i a oraz lub albo ale nie w we na z ze do od po za przez dla o u przy pod nad między przed bez jest są był"
        " była było byli były być będzie ma mają miał ja ty on ona ono my wy oni one mnie mi go jego jej ich im się"
        " swój swoje ten ta to te tego tej tych tym który która które których którego której co czego kto kogo kiedy"
        " gdzie skąd dlaczego jak ile jaki jaka jakie jakim czy że żeby gdy jeśli już też także tylko bardzo więcej",
    ),
    "cs": _language(
        "czech",
        "a i nebo ale ne v ve na z ze do od po za přes pro o u při pod nad mezi před bez s se si je jsou byl byla"
        " bylo byli byly být bude má mají měl já ty on ona ono my vy oni mě mi ho jeho její jejich jim svůj své ten"
        " ta to ty tento tato toto těchto který která které kterých kterého co čeho kdo kdy kde odkud proč jak kolik"
        " jaký jaká jaké zda že aby když jestli už také jen velmi více jako než však",
    ),
    "ro": _language(
        "romanian",
        "un o unei unui unor și sau dar nu în la de din pe cu fără pentru prin despre între până după înainte este e"
        " sunt era erau fost fi a au am ai avea avut eu tu el ea noi voi ei ele mă te se îl îi le lui său sa săi"
        " sale lor meu mea nostru acest această acești aceste acel cel cea cei cele care ce cine când unde cum cât"
        " câți câte câtă căruia cărei al ale că dacă mai foarte și-a s-a fi-a ca decât",
    ),
    "hu": _language(
        "hungarian",
        "a az egy és vagy de hanem nem ne van vannak volt voltak lenne lesz lett én te ő mi ti ők engem őt minket"
        " ez azt ezt ezek azok ami amely aki akik amelyek hogy ha mint is csak már még meg el fel ki be le mi mit"
        " miért ki kik kit mikor hol honnan hová hogyan milyen melyik hány mennyi által után előtt alatt között"
        " szerint során nagyon több minden",
    ),
    "tr": _language(
        "turkish",
        "ve veya ya da ama fakat değil bir bu şu o ben sen biz siz onlar beni onu bunu şunu benim onun bunun bizim"
        " için ile gibi kadar göre sonra önce ne neden niçin nasıl kim kimin kime nerede nereye nereden hangi hangisi"
        " kaç mi mı mu mü de ki var yok olan olarak olduğu oldu idi ise en çok daha her tüm ancak hem tarafından"
        " üzerinde arasında içinde zaman",
    ),
    "id": _language(
        "indonesian",
        "dan atau tetapi tapi tidak bukan yang di ke dari pada dalam untuk dengan oleh tentang antara sebelum"
        " sesudah setelah selama adalah ialah ini itu saya aku kamu anda dia ia kami kita mereka nya apa apakah"
        " siapa kapan mana dimana mengapa bagaimana berapa jika kalau bahwa karena juga sudah telah akan sedang"
        " dapat bisa harus lebih sangat semua sebuah seorang para secara",
    ),
    "vi": _language(
        None,
        "và hoặc nhưng không là của trong ngoài trên dưới cho với từ đến tại bởi về những các một này đó kia tôi bạn"
        " anh chị ông bà nó chúng ta họ được bị đã đang sẽ có gì ai nào đâu sao khi như thế mà thì cũng rất nhiều"
        " bao nhiêu vì nếu ở ra vào lại để hơn",
    ),
    "ca": _language(
        "catalan",
        "el la els les l un una uns unes de del dels d al als a i o però no ni que què qui qual quals quan on com"
        " quant quants quantes per pel pels amb sense en entre sobre sota des fins és són era eren va ser estat"
        " està ha han havia haver hi es s em et li ens us seu seva seus seves meu meva aquest aquesta aquests"
        " aquestes aquell això jo ell ella ells elles més molt també ja si perquè",
    ),
    "ru": _language(
        "russian",
        "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне было вот"
        " от меня еще ещё нет о об из ему когда даже ли если уже или ни быть был была были него до вас там потом"
        " себя ей они тут где есть для мы тебя их чем сам без чего под будет тогда кто кого кому кем этот эта это"
        " эти того этого этой этих какой какая какое какие каким какую каких сколько почему зачем откуда куда при"
        " после над через между который которая которое которые которых которого которой также более чей чья",
    ),
    "uk": _language(
        None,
        "і й та в у не що він на я з із зі як а то все вона так його але ти до же ви за б би по тільки її мені було"
        " від мене ще ні о об коли навіть чи якщо вже або бути був була були нього там потім себе їй вони тут де є"
        " для ми тебе їх ніж сам без під буде тоді хто кого кому ким цей ця це ці того цього цієї цих який яка яке"
        " які яким яку яких скільки чому звідки куди при після над через між котрий також більш чий",
    ),
    "bg": _language(
        None,
        "и в във не че той на аз с със как а то тя но да ти към у вие за по само и́ я му беше бяха от мен още няма"
        " о кога дори ли ако вече или нито бъде бил била били до там после себе си те тук къде има ние ги чрез без"
        " под ще тогава кой коя кое кои какво какъв каква какви колко защо откъде при след над между който която"
        " което които също повече този тази това тези съм е са",
    ),
    "el": _language(
        "greek",
        "ο η το οι τα του της των τον την τους τις ένας μία μια ένα και ή αλλά δεν μη μην είναι ήταν έχει έχουν είχε"
        " είχαν θα να που πως ότι αν σε στο στη στην στον στους στις στα από με για προς κατά μετά πριν μεταξύ χωρίς"
        " ως όπως αυτό αυτός αυτή αυτά αυτοί εγώ εσύ εμείς εσείς μου σου μας σας τι ποιος ποια ποιο ποιοι ποιες"
        " ποιον πότε πού γιατί πώς πόσο πόσα πόσοι πόσες πιο πολύ όταν ενώ επίσης",
    ),
    "ar": _language(
        "arabic",
        "في من على إلى الى عن مع أن ان إن أو او و ثم لا لم لن ما ماذا هو هي هم هن نحن أنا انا أنت هذا هذه ذلك تلك"
        " هؤلاء الذي التي الذين كان كانت كانوا يكون تكون قد كل بعض غير بين بعد قبل عند حتى إذا اذا كما لكن بل هل متى"
        " أين اين كيف لماذا كم أي اي مَن منذ خلال حول ضد عبر",
    ),
    "fa": _language(
        "persian",
        "و در به از که این آن را با است بود شد شده می برای تا یا اما نه هم بر یک او آنها ما شما من های ها هر چه"
        " چی کی کجا چرا چگونه چطور چند کدام اگر باید نیز پس پیش روی بین هستند بودند دارد دارند کرد کرده",
    ),
    "he": _language(
        None,
        "של את על אל עם מן לא כן או גם כי אם אבל הוא היא הם הן אני אתה את אנחנו זה זו זאת אלה אשר היה היתה הייתה"
        " היו יהיה יש אין כל בין אחרי לפני עד מה מי מתי איפה היכן למה מדוע איך כיצד כמה איזה איזו אילו רק עוד יותר",
    ),
    "hy": _language("armenian", "և է են էր ու որ որը որոնք է՝ նա այն այս մի ես մենք նրա ինչ ով երբ որտեղ ինչպես ինչու"),
    "ta": _language("tamil", "ஒரு என்று மற்றும் இந்த அந்த என்ன யார் எப்போது எங்கே ஏன் எப்படி எத்தனை அது இது"),
    "hi": _language(
        "hindi",
        "का की के को में से पर ने और या लेकिन नहीं न है हैं था थी थे हो होता होती होते हुआ हुई हुए कर करने किया करता"
        " यह वह ये वे इस उस इन उन इसके उसके मैं तुम आप हम जो जिस तो भी ही तक साथ लिए बाद पहले बीच द्वारा एक क्या कौन"
        " किस किसने किसे किसकी कब कहाँ कहां क्यों कैसे कितना कितने कितनी अपने गया गई गए रहा",
    ),
}

# What a question is made of where words are not set apart. A query loses these; texts keep them.
QUESTION_PHRASES: dict[str, tuple[str, ...]] = {
    "zh": (
        *("为什么", "為什麼", "什么时候", "什麼時候", "什么", "什麼", "多少", "哪一个", "哪些", "哪个", "哪一", "哪里"),
        *("哪裡", "哪年", "怎么样", "怎样", "怎么", "怎麼", "如何", "是否", "几个", "何时", "何種", "何种", "何处"),
    ),
    "ja": (
        *("どのように", "どのような", "なぜですか", "何ですか", "ですか", "でしたか", "ましたか", "ますか", "なぜ"),
        *("どこ", "だれ", "いつ", "どの", "どれ", "いくつ"),
    ),
    "ko": ("무엇", "누구", "언제", "어디", "어떻게", "어떤", "왜", "얼마나", "몇", "입니까", "습니까"),
    "th": ("อะไร", "ใคร", "เมื่อไหร่", "เมื่อใด", "ที่ไหน", "ทำไม", "อย่างไร", "เท่าไหร่", "เท่าใด", "กี่", "ไหม", "หรือไม่", "ใด"),
}

# A script is a range of a regular expression's class, with the language to take where the script is all that is known.
SCRIPTS: dict[str, tuple[str, str | None]] = {
    "latin": ("A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ", None),
    "cyrillic": ("Ѐ-ӿ", "ru"),
    "greek": ("Ͱ-Ͽἀ-῿", "el"),
    "arabic": ("\u0600-\u06ff\u0750-\u077f", "ar"),
    "hebrew": ("\u0590-\u05ff", "he"),
    "devanagari": ("\u0900-\u097f", "hi"),
    "bengali": ("\u0980-\u09ff", "bn"),
    "gurmukhi": ("\u0a00-\u0a7f", "pa"),
    "gujarati": ("\u0a80-\u0aff", "gu"),
    "tamil": ("\u0b80-\u0bff", "ta"),
    "telugu": ("\u0c00-\u0c7f", "te"),
    "kannada": ("\u0c80-\u0cff", "kn"),
    "malayalam": ("\u0d00-\u0d7f", "ml"),
    "armenian": ("\u0530-\u058f", "hy"),
    "georgian": ("\u10a0-\u10ff", "ka"),
    "thai": ("\u0e00-\u0e7f", "th"),
    "lao": ("\u0e80-\u0eff", "lo"),
    "khmer": ("\u1780-\u17ff", "km"),
    "burmese": ("\u1000-\u109f", "my"),
    "hangul": ("\u1100-\u11ff\uac00-\ud7af", "ko"),
    "kana": ("\u3040-\u30ff", "ja"),
    "han": ("\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff", "zh"),
}
# Scripts that set no spaces between words, and the lengths of the pieces that stand for words there: the
# fewer letters a script has, the longer a piece must be to mean something; the short ones find short words.
UNSPACED: dict[str, tuple[int, ...]] = {
    "han": (1, 2),
    "hangul": (1, 2),
    "kana": (2,),
    "thai": (2, 4),
    "lao": (2, 4),
    "khmer": (2, 4),
    "burmese": (2, 4),
}
# Of a stem, so many characters are kept. Where words change their endings a lot this finds more of their
# forms; English stems are kept whole.
STEM_LENGTHS: dict[str, int] = dict.fromkeys(("ru", "uk", "bg", "pl", "cs", "fi", "hu", "tr", "el", "hy"), 6)
OTHER_STEM_LENGTH = 8

# English forms that no rule leads back to their word. A question asks "did it begin" where a text says "it began".
_IRREGULAR = (
    "arise arose arisen|awake awoke|bear bore borne born|beat beaten|become became|begin began begun|bend bent"
    "|bind bound|bite bit bitten|blow blew blown|break broke broken|breed bred|bring brought|build built"
    "|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug"
    "|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed"
    "|feel felt|fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten"
    "|freeze froze frozen|get got gotten|give gave given|go went gone|grind ground|grow grew grown|hang hung"
    "|hear heard|hide hid hidden|hold held|keep kept|know knew known|lay laid|lead led|learn learnt|leave left"
    "|lend lent|lie lain|light lit|lose lost|make made|mean meant|meet met|overcome overcame|pay paid"
    "|prove proven|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought"
    "|sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk"
    "|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spend spent|spin spun"
    "|spring sprang|stand stood|steal stole stolen|stick stuck|strike struck|strive strove|swear swore sworn"
    "|sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought"
    "|throw threw thrown|undergo underwent|understand understood|undertake undertook|wake woke|wear wore worn"
    "|weave wove woven|win won|withdraw withdrew withdrawn|write wrote written|child children|foot feet"
    "|goose geese|man men|mouse mice|tooth teeth|woman women|big bigger biggest|early earlier earliest"
    "|good better best|great greater greatest|high higher highest|large larger largest|late later latest"
    "|long longer longest|low lower lowest|old older oldest|small smaller smallest|tall taller tallest"
    "|young younger youngest|bad worse worst|britain british|china chinese|denmark danish|england english"
    "|finland finnish|france french|greece greek|ireland irish|norway norwegian|poland polish|scotland scottish"
    "|spain spanish|sweden swedish|switzerland swiss|turkey turkish|wales welsh"
)
IRREGULAR: dict[str, str] = {form: forms.split()[0] for forms in _IRREGULAR.split("|") for form in forms.split()[1:]}
