#include "show/qr_text.h"

#include <errno.h>
#include <qrencode.h>

#define BORDER 4

/* Dark modules, a border around them that is light. */
static bool is_dark(const QRcode *code, int x, int y)
{
    x -= BORDER;
    y -= BORDER;
    if (x < 0 || y < 0 || x >= code->width || y >= code->width)
        return false;
    return code->data[y * code->width + x] & 1;
}

/* Two modules, one above the other, as one character: what is drawn is black with colours, white
 * without. */
static Str half_block(bool upper, bool lower)
{
    if (upper)
        return lower ? STR("█") : STR("▀");
    return lower ? STR("▄") : STR(" ");
}

static void write_row(const QRcode *code, int y, bool colors, Buf *out)
{
    const int width = code->width + 2 * BORDER;

    if (colors)
        buf_add(out, STR("\x1b[30;47m"));
    for (int x = 0; x < width; x++) {
        bool upper = is_dark(code, x, y), lower = y + 1 < width && is_dark(code, x, y + 1);
        buf_add(out,
                colors ? half_block(upper, lower) : half_block(!upper, !lower && y + 1 < width));
    }
    buf_add(out, colors ? STR("\x1b[0m\n") : STR("\n"));
}

int qr_text_write(Str text, bool colors, unsigned margin, Buf *out, Err *err)
{
    if (text.len == 0 || text.len > QR_TEXT_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a QR code here has 1 to %d bytes", QR_TEXT_BYTES_MAX);
    QRcode *code =
        QRcode_encodeData((int)text.len, (const unsigned char *)text.bytes, 0, QR_ECLEVEL_M);
    if (!code)
        return err_set(err, errno == ERANGE ? ERR_LIMIT : ERR_MEMORY, "QR code: %s",
                       errno == ERANGE ? "the text is too long" : "out of memory");
    for (int y = 0; y < code->width + 2 * BORDER; y += 2) {
        for (unsigned i = 0; i < margin; i++)
            buf_add_char(out, ' ');
        write_row(code, y, colors, out);
    }
    QRcode_free(code);
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "QR code: out of memory") : 0;
}
