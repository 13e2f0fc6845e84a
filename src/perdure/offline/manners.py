"""Words of what is asked of an assistant.  Data only: `offline.passing` and `offline.wishes` read it.

Entries are separated by commas.
"""

from __future__ import annotations

from typing import Final

# What a task is about: "fix the ...", "my ..." of these is no fact about anybody.
PIECES: Final = """
text, code, function, method, class, script, bug, error, exception, message, email, e-mail, letter, paragraph,
sentence, passage, article, essay, document, file, snippet, query, table, list, question, problem, equation, exercise,
task, assignment, homework, prompt, poem, story, translation, summary, output, image, picture, screenshot, regex,
config, log, data, dataset, chart, code base, codebase, draft, report, page, section, chapter, quote, recipe, line,
lines, word, words, phrase, issue, conversation, chat, answer, response
"""
# What lies before both of them when "this ..." is said; nobody else's story or recipe.
AT_HAND: Final = """
text, code, function, method, class, script, bug, error, exception, paragraph, sentence, passage, file, snippet,
query, prompt, regex, screenshot, output, equation, translation, summary, draft, word, phrase
"""
# What an answer can be: "I need a ...".
PRODUCTS: Final = """
summary, summarisation, summarization, translation, list, poem, haiku, limerick, story, essay, function, script,
program, regex, regular expression, explanation, example, examples, paragraph, email, e-mail, cover letter, letter,
table, outline, draft, query, answer, answers, suggestion, suggestions, recommendation, recommendations, advice,
information, info, tip, tips, idea, ideas, help, hand, assistance, guidance, feedback, opinion, review, rewrite,
rewording, version, title, tagline, slogan, caption, tweet, post, article, speech, toast, report, diagram, chart,
formula, template, snippet, unit test, unit tests, proofreading, proofread, clarification, overview, breakdown,
comparison, definition, description, guide, tutorial, instructions, steps, code, prompt, bullet point, bullet points,
synonym, synonyms, rhyme, joke, quote, riddle, itinerary, schedule, recipe, recipes, playlist, quiz, sample, response,
reply, checklist, cheat sheet, pros and cons
"""
# How answers are to be.
MANNERS: Final = """
metric, imperial, celsius, fahrenheit, kilometres, kilometers, miles, units, 24-hour, 24 hour, 12-hour, 12 hour,
iso date, iso dates, euro, euros, dollars, pounds, emoji, emojis, emoticons, bullet point, bullet points, bullets,
markdown, plain text, headings, tables, code blocks, jargon, slang, simple words, simple language, simple english,
plain words, plain language, plain english, formal, informal, casual, friendly, polite, professional, concise, brief,
briefly, short, shorter, terse, detailed, in detail, verbose, to the point, direct, blunt, honest, sarcasm, sarcastic,
humour, humor, jokes, british, american, us english, uk english, spelling, step by step, step-by-step, citations,
sources, references, footnotes, examples, exclamation marks, exclamation points, capital letters, lowercase,
lower case, all caps, apologise, apologize, apologising, apologizing, small talk, spoilers, your answers,
your replies, your responses, your messages, your tone, compliments, disclaimers, warnings, follow-up questions,
flattery, filler, french, german, spanish, italian, portuguese, dutch, english, chinese, mandarin, japanese, korean,
russian, arabic, hindi, turkish, polish, swedish, norwegian, danish, finnish, greek, czech, indonesian, vietnamese,
thai, hebrew, ukrainian, latin, catalan, like a friend, like an expert, like a teacher, sugarcoat, first name, last name, surname, nickname, sir, madam, ma'am, pronouns
"""
# What an assistant does again and again, and so can be told how.
ACTS: Final = """
answer, reply, respond, write, speak, talk, explain, keep, be, use, avoid, stop, give, repeat, apologise, apologize,
format, address, skip, include, make, show, add, round, cite, assume, treat, sign, start, begin, end, ask, check, tell,
remind, refer, say, send, provide, limit, leave, omit, drop, suggest, recommend, offer, consider, convert, express,
state, quote, mention, call, list, put, double-check, wait, act, take, greet, spell, stick, try, refrain, bring up, sugarcoat
"""
# "Be careful", "keep going", "give up": what people tell each other.
NO_ACTS: Final = """
keep going, keep up, keep it up, keep smiling, keep on, be yourself, be kind, be happy, be strong, be well, be safe,
be careful, be you, be proud, be there, be back, give up, give in, take care, take it, stop worrying, stop smiling,
stop believing, try again, wait for, start over, end up, make sense
"""
# "From now on, ...".
ALWAYS: Final = """
always, never, from now on, from here on, in future, in the future, going forward, henceforth, every time, everytime,
each time, whenever, any time, anytime, when I ask, in all of your, in all your, in your answers, in your answer,
in your replies, in your reply, in your responses, in your response, in your messages, by default, at all times,
in this chat, in all answers, in all chats, for all, for every, for each, until I say, as a rule, in general, ever
"""
