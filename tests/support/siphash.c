/* bespoke_siphash13 beside known answers: of the bytes 0, 1, 2 and so on, none of them up to 19.
 *
 * The first are what CPython says with PYTHONHASHSEED=0, whose hash of bytes is SipHash-1-3 with a key of zeros (but for no bytes):
 *     PYTHONHASHSEED=0 python3 -c 'print(hash(bytes(range(19))) & (1 << 64) - 1)'
 * The others are those of the paper's algorithm, written down in Python from the paper, which gives its vector (Appendix A), too. */
#include "support.h"
#include "../../templates/support/siphash.h"

static const uint64_t without_key[] = {
    0xd1fba762150c532cu, 0x68a914128e01e473u, 0x010bac45c41e3669u, 0x4d4c9a4a8ef6e0adu, 0x7cc43f98813e4dbdu,
    0x5abe2169dff36275u, 0xe3c25f87624f1cdbu, 0x2f098ab0c751325au, 0xead411e67ebe2eeau, 0x75927f9d95124362u,
    0xaf9f77a65ab51a1du, 0xfe64ce8b6617fcffu, 0xa6baf4fb0f9fe1c2u, 0xa0cf3211850f8e0du, 0x7f86049379fbfe67u,
    0xf30eb725bb91c9eau, 0x8972188433a5c5b7u, 0x4883c49a2c009c1du, 0xadc2c0b63044067du, 0x091f4a3329f87d19u};
static const uint64_t with_key[] = { /* 0x0706050403020100, twice */
    0xe3dde508851290edu, 0x525d3f125fa4abf2u, 0xe6fe56bbd0951a6eu, 0xcacef0e46c5ca249u, 0x11bbcf7425ee7c96u,
    0x1ca124aa49ecdae4u, 0x5f9c98997223f777u, 0x5d31ca873aef5b23u, 0xc8c0ac7bb03f0395u, 0xc903b70d20fb0ca4u,
    0xe96dd720c2885cb1u, 0xa9d531870aecaa88u, 0x1c2d90782616a654u, 0x3643429dc71d0367u, 0xc41d190799c3d4c7u,
    0xa0fcd966bda344e8u, 0x13f02769b4fde8dbu, 0x0b9919dedabf110du, 0xa57d7a323d85b729u, 0x0439964e7781c076u};

int main(void)
{
    unsigned char bytes[32];

    for (size_t at = 0; at < 4; at++) { /* wherever they lie */
        for (size_t i = 0; i < 20; i++) {
            bytes[at + i] = (unsigned char)i;
        }
        for (size_t count = 0; count < 20; count++) {
            CHECK(bespoke_siphash13(0, bytes + at, count) == without_key[count]);
            CHECK(bespoke_siphash13(0x0706050403020100u, bytes + at, count) == with_key[count]);
        }
    }
    return 0;
}
