#include "model/site/colour.h"

#include "model/text_rule.h"

#include <assert.h>
#include <math.h>

/* Of each theme the paper on which text is harder to read: tinted. */
static const struct str light = STR_INIT("#e9e4d8"), dark = STR_INIT("#23211d");

struct rgb {
	int part[3];
};

static int
digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

static struct rgb
rgb_of(struct str colour)
{
	struct rgb rgb;

	assert(colour.len != 0 && text_keeps(TEXT_COLOUR, colour));
	for (size_t i = 0; i < 3; i++)
		rgb.part[i] = 16 * digit(colour.base[1 + 2 * i]) + digit(colour.base[2 + 2 * i]);
	return rgb;
}

/* The relative luminance of WCAG 2. */
static double
luminance(struct rgb rgb)
{
	static const double weights[3] = {.2126, .7152, .0722};
	double sum = 0;

	for (size_t i = 0; i < 3; i++) {
		double part = rgb.part[i] / 255.;

		sum += weights[i] * (part <= .04045 ? part / 12.92 : pow((part + .055) / 1.055, 2.4));
	}
	return sum;
}

static int
contrast(struct rgb rgb, struct str paper)
{
	double a = luminance(rgb), b = luminance(rgb_of(paper));

	return (int)(100 * (fmax(a, b) + .05) / (fmin(a, b) + .05));
}

int
colour_contrast(struct str colour)
{
	return contrast(rgb_of(colour), light);
}

/* Mixed with black or white, in steps, until it can be read. */
static struct str
until_readable(struct arena *arena, struct str colour, int with, struct str paper)
{
	enum { STEPS = 50 };
	struct rgb from = rgb_of(colour), to = from;

	for (int step = 1; step <= STEPS && contrast(to, paper) < COLOUR_CONTRAST_MIN; step++)
		for (size_t i = 0; i < 3; i++)
			to.part[i] = from.part[i] + (with - from.part[i]) * step / STEPS;
	return str_fmt(arena, "#%02x%02x%02x", (unsigned)to.part[0], (unsigned)to.part[1],
	    (unsigned)to.part[2]);
}

struct str
colour_for_light(struct arena *arena, struct str colour)
{
	return until_readable(arena, colour, 0, light);
}

struct str
colour_for_dark(struct arena *arena, struct str colour)
{
	return until_readable(arena, colour, 255, dark);
}
