// Prices of European call and put options by the formula of Black and Scholes.
float distribution(float x) {
    return 0.5f * erfc(-x * 0.70710678f);
}

kernel void blackscholes(global const float *prices, global const float *strikes, global const float *years,
                         global float *calls, global float *puts, float rate, float volatility) {
    size_t i = get_global_id(0);
    float s = prices[i], k = strikes[i], t = years[i];
    float deviation = volatility * sqrt(t);
    float d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / deviation;
    float d2 = d1 - deviation;
    float discounted = k * exp(-rate * t);
    float call = s * distribution(d1) - discounted * distribution(d2);
    calls[i] = call;
    puts[i] = call + discounted - s;
}
