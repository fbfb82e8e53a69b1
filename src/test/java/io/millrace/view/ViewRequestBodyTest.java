package io.millrace.view;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.millrace.view.json.RecordViewModule;
import jakarta.validation.Valid;
import jakarta.validation.Validation;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.http.codec.json.JacksonJsonDecoder;
import org.springframework.http.codec.json.JacksonJsonEncoder;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Views as request bodies of Spring MVC and WebFlux. */
class ViewRequestBodyTest {

    private static final RecordViews<BeanPayment> VIEWS = RecordViews.of(BeanPayment.class, Payments.SCHEMA);
    private static final JsonMapper MAPPER =
            JsonMapper.builder().addModule(new RecordViewModule(VIEWS)).build();
    private static final SpringValidatorAdapter VALIDATOR = new SpringValidatorAdapter(
            ViewValidation.configure(Validation.byDefaultProvider().configure())
                    .buildValidatorFactory()
                    .getValidator());

    /** A controller as applications have it. */
    @RestController
    static class Controller {
        @PostMapping("/payments")
        BeanPayment add(@Valid @RequestBody BeanPayment payment) {
            return payment;
        }
    }

    private static String json(BeanPayment payment) {
        return MAPPER.writeValueAsString(VIEWS.view(payment));
    }

    @Test
    @FrameworkSupport(
            tool = "Spring MVC: `@Valid @RequestBody`",
            works = "with a mapper that has `RecordViewModule`: the body is a view, and is validated")
    void shouldBeRequestBodiesOfMvc() throws Exception {
        var mvc = MockMvcBuilders.standaloneSetup(new Controller())
                .setValidator(VALIDATOR)
                .setMessageConverters(new JacksonJsonHttpMessageConverter(MAPPER))
                .build();
        mvc.perform(post("/payments").contentType(MediaType.APPLICATION_JSON).content(json(Payments.valid())))
                .andExpect(status().isOk())
                .andExpect(content().json(json(Payments.valid())));
        mvc.perform(post("/payments").contentType(MediaType.APPLICATION_JSON).content(json(Payments.invalid())))
                .andExpect(status().isBadRequest());
    }

    @Test
    @FrameworkSupport(
            tool = "Spring WebFlux: `@Valid @RequestBody`",
            works = "with a mapper that has `RecordViewModule`: the body is a view, and is validated")
    void shouldBeRequestBodiesOfWebFlux() {
        WebTestClient client = WebTestClient.bindToController(new Controller())
                .validator(VALIDATOR)
                .httpMessageCodecs(codecs -> {
                    codecs.defaultCodecs().jacksonJsonDecoder(new JacksonJsonDecoder(MAPPER));
                    codecs.defaultCodecs().jacksonJsonEncoder(new JacksonJsonEncoder(MAPPER));
                })
                .build();
        send(client, Payments.valid()).expectStatus().isOk().expectBody().json(json(Payments.valid()));
        send(client, Payments.invalid()).expectStatus().isBadRequest();
    }

    private static WebTestClient.ResponseSpec send(WebTestClient client, BeanPayment payment) {
        return client.post()
                .uri("/payments")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(json(payment))
                .exchange();
    }
}
