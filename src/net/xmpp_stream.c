#include "net/xmpp_stream.h"

#include "base/utf8.h"

#define ERRORS "urn:ietf:params:xml:ns:xmpp-streams"

void xmpp_stream_write_head(const char *space, const char *version, Str domain, Buf *out)
{
    buf_printf(out, "<?xml version='1.0'?><stream:stream xmlns='%s' xmlns:stream='%s'", space,
               XMPP_STREAMS);
    if (version)
        buf_printf(out, " version='%s'", version);
    buf_add(out, STR(" to='"));
    xml_quote(out, domain);
    buf_add(out, STR("'>"));
}

bool xmpp_stream_is_error(const XmlNode *element)
{
    return str_eq(element->space, STR(XMPP_STREAMS)) && str_eq(element->name, STR("error"));
}

Str xmpp_stream_explain_error(const XmlNode *error, Buf *why)
{
    CLEANUP(buf_done) Buf text = {0};
    const XmlNode *condition = error->first;
    const XmlNode *words = xml_child(error, ERRORS, "text");

    while (condition && (!str_eq(condition->space, STR(ERRORS)) || condition == words))
        condition = condition->next;
    utf8_add_printable(condition ? condition->name : STR("error"), 40, why);
    if (words) {
        xml_text(words, &text);
        buf_add(why, STR(": "));
        utf8_add_printable(buf_str(&text), 300, why);
    }
    return condition ? condition->name : (Str){"", 0};
}

XmppAliveNext xmpp_alive_look(XmppAlive *alive)
{
    bool asked = alive->asked;

    alive->asked = !alive->heard;
    if (alive->heard) {
        alive->heard = false;
        return XMPP_ALIVE_WAIT;
    }
    return asked ? XMPP_ALIVE_GONE : XMPP_ALIVE_ASK;
}

Str xmpp_stream_error_for(const Err *err)
{
    return err->code == ERR_LIMIT
               ? STR("<stream:error><policy-violation xmlns='" ERRORS "'/></stream:error>")
               : STR("<stream:error><not-well-formed xmlns='" ERRORS "'/></stream:error>");
}
